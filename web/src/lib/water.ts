/*
 * Still water in the background. It is the same loop for all tables, made from the figures below and
 * from nothing else: it cannot say anything about the game.
 */

export const LOOP_SECONDS = 32;
const RATE = 22_050;
const SWELL_SECONDS = 8;
const SWELL_GAIN = 0.05;
/** When a drop falls, in seconds of the loop, and how high it sounds. */
export const DROPS: readonly { at: number; hz: number; gain: number }[] = [
  { at: 3.1, hz: 523, gain: 0.016 },
  { at: 9.7, hz: 392, gain: 0.02 },
  { at: 10.3, hz: 587, gain: 0.01 },
  { at: 17.4, hz: 440, gain: 0.016 },
  { at: 23.9, hz: 659, gain: 0.012 },
  { at: 28.2, hz: 349, gain: 0.02 },
];
export const DROP_SECONDS = 1.6;

export async function startWater(output: AudioNode): Promise<AudioBufferSourceNode> {
  const source = new AudioBufferSourceNode(output.context, { buffer: await render(), loop: true });
  source.connect(output);
  source.start();
  return source;
}

/** Swells begin and end in silence, so the loop has no seam. */
async function render(): Promise<AudioBuffer> {
  const context = new OfflineAudioContext(1, LOOP_SECONDS * RATE, RATE);
  const noise = new AudioBufferSourceNode(context, { buffer: noiseOf(context), loop: true });
  const swell = new GainNode(context, { gain: 0 });
  for (let at = 0; at < LOOP_SECONDS; at += SWELL_SECONDS) {
    swell.gain.setValueAtTime(0, at);
    swell.gain.linearRampToValueAtTime(SWELL_GAIN, at + SWELL_SECONDS * 0.45);
    swell.gain.linearRampToValueAtTime(0, at + SWELL_SECONDS);
  }
  noise
    .connect(new BiquadFilterNode(context, { type: 'lowpass', frequency: 420, Q: 0.4 }))
    .connect(swell)
    .connect(context.destination);
  noise.start();
  for (const { at, hz, gain } of DROPS) {
    const drop = new OscillatorNode(context, { frequency: hz });
    drop.frequency.setValueAtTime(hz, at);
    drop.frequency.exponentialRampToValueAtTime(hz * 1.3, at + 0.12);
    const envelope = new GainNode(context, { gain: 0 });
    envelope.gain.setValueAtTime(0, at);
    envelope.gain.linearRampToValueAtTime(gain, at + 0.01);
    envelope.gain.exponentialRampToValueAtTime(0.0001, at + DROP_SECONDS);
    drop.connect(envelope).connect(context.destination);
    drop.start(at);
    drop.stop(at + DROP_SECONDS);
  }
  return context.startRendering();
}

/** Two seconds of noise that is the same on every device. */
function noiseOf(context: BaseAudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, 2 * RATE, RATE);
  const samples = buffer.getChannelData(0);
  let state = 1;
  for (let index = 0; index < samples.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    samples[index] = state / 2 ** 31 - 1;
  }
  return buffer;
}
