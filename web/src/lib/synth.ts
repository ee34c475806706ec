import type { Seat } from '../wire.gen';
import type { Cue, SeatCard } from './sound';

/** Wood is a short tap, water a drop whose pitch rises, glass rings on, and a bell has body. */
type Voice = 'wood' | 'water' | 'glass' | 'bell';

interface Note {
  voice: Voice;
  hz: number;
  /** When it begins, in seconds after the cue. */
  at: number;
  seconds: number;
  gain: number;
}

const note = (voice: Voice, hz: number, at: number, seconds = 0.5, gain = 0.12): Note => ({ voice, hz, at, seconds, gain });

/** A card of each seat: a tap at a pitch of its own, far enough from the next to be told apart at once. */
const SEAT_HZ: Record<Seat, number> = { A: 262, B: 349, C: 466, D: 622, E: 831, F: 1109 };
const seatCards = Object.fromEntries(
  Object.entries(SEAT_HZ).map(([seat, hz]) => [
    `card-${seat}`,
    { notes: [note('wood', hz, 0, 0.16, 0.18), note('glass', hz * 2, 0.02, 0.3, 0.05)], vibration: [12] },
  ]),
) as Record<SeatCard, { notes: Note[]; vibration: number[] }>;

export const CUES: Record<Cue, { notes: Note[]; vibration: number[] }> = {
  ...seatCards,
  card: { notes: [note('wood', 392, 0, 0.12, 0.16), note('water', 587, 0.03, 0.18, 0.05)], vibration: [12] },
  rest: { notes: [note('water', 220, 0, 0.35, 0.07)], vibration: [8] },
  begin: {
    notes: [note('bell', 294, 0, 1.4), note('bell', 440, 0.06, 1.6, 0.09), note('glass', 587, 0.12, 1.8, 0.05)],
    vibration: [30, 40, 60],
  },
  stop: { notes: [note('wood', 330, 0, 0.2, 0.18), note('bell', 262, 0.14, 0.5)], vibration: [40] },
  mistake: { notes: [note('bell', 147, 0, 0.9, 0.2), note('bell', 139, 0.04, 1.1, 0.16)], vibration: [120, 60, 120] },
  // Two beats of a heart, and then a high, thin note that stays.
  'last-life': {
    notes: [note('bell', 147, 0, 0.5, 0.2), note('bell', 131, 0.28, 0.7, 0.18), note('glass', 1175, 0.6, 1.6, 0.04)],
    vibration: [120, 160, 120, 300, 40],
  },
  // Chalk: short dry strokes that rise a little.
  slate: { notes: [0, 0.11, 0.19, 0.34].map((at) => note('wood', 1400 + at * 900, at, 0.07, 0.09)), vibration: [6, 60, 6, 60, 6] },
  deal: { notes: [0, 0.16, 0.32, 0.48].map((at) => note('wood', 466 - at * 120, at, 0.1, 0.13)), vibration: [8, 150, 8, 150, 8] },
  star: {
    notes: [note('glass', 587, 0, 0.5, 0.07), note('glass', 740, 0.09, 0.5, 0.07), note('glass', 988, 0.18, 1.1, 0.07)],
    vibration: [20, 30, 20],
  },
  close: {
    notes: [note('wood', 440, 0, 0.1, 0.16), note('wood', 494, 0.07, 0.1, 0.16), note('glass', 880, 0.25, 0.9, 0.05)],
    vibration: [10, 30, 10],
  },
  complete: { notes: [note('bell', 392, 0), note('bell', 494, 0.12), note('bell', 587, 0.24, 0.9)], vibration: [30, 50, 30] },
  won: {
    notes: [note('bell', 392, 0), note('bell', 494, 0.14), note('bell', 587, 0.28), note('glass', 784, 0.42, 1.8)],
    vibration: [40, 60, 40, 60, 120],
  },
  lost: { notes: [note('bell', 262, 0, 0.7), note('bell', 233, 0.22, 0.8), note('bell', 196, 0.46, 1.6)], vibration: [200] },
  turn: { notes: [0, 0.2, 0.4].map((at) => note('wood', 330 + at * 200, at, 0.1, 0.12)), vibration: [10, 180, 10] },
  pegs: { notes: [0.15, 0.4, 0.65].map((at) => note('wood', 523 + at * 200, at, 0.12, 0.14)), vibration: [8, 240, 8] },
  uncover: {
    notes: [note('glass', 294, 0.3, 0.6, 0.07), note('glass', 370, 0.75, 0.6, 0.07), note('glass', 440, 1.2, 1.2, 0.07)],
    vibration: [15, 400, 15, 400, 15],
  },
};

export function vibrate(name: Cue): void {
  navigator.vibrate?.(CUES[name].vibration);
}

export function play(output: AudioNode, name: Cue): void {
  for (const each of CUES[name].notes) sound(output, each, output.context.currentTime + each.at);
}

/** Overtones as multiples of the note, each with how much of its strength. */
const OVERTONES: Record<Voice, [number, number][]> = {
  wood: [
    [1, 1],
    [2.4, 0.25],
  ],
  water: [[1, 1]],
  glass: [
    [1, 1],
    [2.76, 0.22],
    [5.4, 0.08],
  ],
  bell: [
    [1, 1],
    [2, 0.2],
  ],
};

/** How far the pitch has moved when a note is over. */
const GLIDES: Record<Voice, number> = { wood: 0.72, water: 1.5, glass: 1, bell: 1 };

function sound(output: AudioNode, { voice, hz, seconds, gain }: Note, start: number): void {
  for (const [multiple, strength] of OVERTONES[voice]) {
    const oscillator = new OscillatorNode(output.context, { frequency: hz * multiple });
    if (GLIDES[voice] !== 1) {
      oscillator.frequency.setValueAtTime(hz * multiple, start);
      oscillator.frequency.exponentialRampToValueAtTime(hz * multiple * GLIDES[voice], start + seconds);
    }
    const envelope = new GainNode(output.context, { gain: 0 });
    envelope.gain.setValueAtTime(0, start);
    envelope.gain.linearRampToValueAtTime(gain * strength, start + (voice === 'wood' ? 0.003 : 0.012));
    envelope.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
    oscillator.connect(envelope).connect(output);
    oscillator.start(start);
    oscillator.stop(start + seconds);
  }
}

let water: Promise<AudioBufferSourceNode> | null = null;

/** Begins or ends the sound of still water. */
export function setWater(output: AudioNode, on: boolean): void {
  if (on) water ??= import('./water').then(({ startWater }) => startWater(output));
  else {
    void water?.then((source) => source.stop());
    water = null;
  }
}
