/** The round constants of SHA-256: the first bits of the cube roots of the first 64 primes. */
const K = roots(64, 3);
/** The first bits of the square roots of the first 8 primes. */
const START = roots(8, 2);

/** How many hashes are tried before the page gets a moment for itself. */
const AT_ONCE = 20_000;

/** Finds the number that the server asks for: the hash of `challenge:number` begins with that many zero bits. */
export async function prove(challenge: number, bits: number): Promise<number> {
  for (let nonce = 0; nonce < 2 ** 32; nonce++) {
    if (zeroBits(sha256(`${challenge}:${nonce}`)) >= bits) return nonce;
    if (nonce % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setTimeout(resolve));
  }
  throw new Error('no number has that many zero bits');
}

export function zeroBits(hash: Uint32Array): number {
  let bits = 0;
  for (const word of hash) {
    bits += Math.clz32(word);
    if (word !== 0) break;
  }
  return bits;
}

/** The words of the message, reused: a proof takes a hundred thousand hashes. */
const w = new Int32Array(64);

/** SHA-256 of a text of at most 55 ASCII characters. The browser's own works only behind https, and takes a promise for each. */
export function sha256(text: string): Uint32Array {
  w.fill(0, 0, 16);
  for (let i = 0; i < text.length; i++) w[i >> 2]! |= text.charCodeAt(i) << (24 - 8 * (i & 3));
  w[text.length >> 2]! |= 0x80 << (24 - 8 * (text.length & 3));
  w[15] = text.length * 8;
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
  }
  let a = START[0]!;
  let b = START[1]!;
  let c = START[2]!;
  let d = START[3]!;
  let e = START[4]!;
  let f = START[5]!;
  let g = START[6]!;
  let h = START[7]!;
  for (let i = 0; i < 64; i++) {
    const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  return Uint32Array.of(
    a + START[0]!,
    b + START[1]!,
    c + START[2]!,
    d + START[3]!,
    e + START[4]!,
    f + START[5]!,
    g + START[6]!,
    h + START[7]!,
  );
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits behind the point of the roots of the first primes. */
function roots(count: number, degree: 2 | 3): Int32Array {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) prime &&= n % d !== 0;
    if (prime) found.push(Number(rootBits(BigInt(n), degree) & 0xffffffffn));
  }
  return Int32Array.from(found, (bits) => bits | 0);
}

/** The whole part of the root of n, times 2³². */
function rootBits(n: bigint, degree: 2 | 3): bigint {
  const power = n << BigInt(32 * degree);
  let low = 0n;
  let high = 1n << 40n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle ** BigInt(degree) <= power) low = middle;
    else high = middle;
  }
  return low;
}
