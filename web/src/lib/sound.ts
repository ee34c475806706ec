import { settings } from './settings.svelte';

/** What can be heard and felt. */
export type Cue = 'card' | 'begin' | 'rest' | 'mistake' | 'star' | 'complete' | 'won' | 'lost' | 'stop' | 'seat';

interface Note {
  hz: number;
  at: number;
  seconds: number;
  gain: number;
}

const note = (hz: number, at: number, seconds = 0.5, gain = 0.14): Note => ({ hz, at, seconds, gain });

const CUES: Record<Cue, { notes: Note[]; vibration: number[] }> = {
  card: { notes: [note(392, 0, 0.12, 0.1), note(587, 0.02, 0.16, 0.05)], vibration: [12] },
  rest: { notes: [note(220, 0, 0.35, 0.07)], vibration: [8] },
  begin: { notes: [note(294, 0, 1.4), note(440, 0.06, 1.6, 0.1), note(587, 0.12, 1.8, 0.06)], vibration: [30, 40, 60] },
  stop: { notes: [note(330, 0, 0.3), note(262, 0.14, 0.5)], vibration: [40] },
  mistake: { notes: [note(147, 0, 0.7, 0.2), note(139, 0.04, 0.9, 0.16)], vibration: [120, 60, 120] },
  star: { notes: [note(587, 0, 0.5, 0.08), note(740, 0.09, 0.5, 0.08), note(988, 0.18, 0.9, 0.08)], vibration: [20, 30, 20] },
  complete: { notes: [note(392, 0), note(494, 0.12), note(587, 0.24, 0.9)], vibration: [30, 50, 30] },
  won: { notes: [note(392, 0), note(494, 0.14), note(587, 0.28), note(784, 0.42, 1.6)], vibration: [40, 60, 40, 60, 120] },
  lost: { notes: [note(262, 0, 0.7), note(233, 0.22, 0.8), note(196, 0.46, 1.4)], vibration: [200] },
  seat: { notes: [note(494, 0, 0.2, 0.06)], vibration: [] },
};

let context: AudioContext | null = null;
let isQuiet = false;

/** Leaves the sounds to another device in the room; vibration stays. */
export function keepQuiet(quiet: boolean): void {
  isQuiet = quiet;
}

/** Browsers let a page be heard only after a gesture: call it inside one. */
export function unlockSound(): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
}

export function cue(name: Cue): void {
  const { notes, vibration } = CUES[name];
  if (settings.vibration && vibration.length > 0 && navigator.userActivation?.hasBeenActive) {
    navigator.vibrate?.(vibration);
  }
  if (settings.sound && !isQuiet && context?.state === 'running') notes.forEach((each) => play(context!, each));
}

function play(context: AudioContext, { hz, at, seconds, gain }: Note): void {
  const start = context.currentTime + at;
  const oscillator = new OscillatorNode(context, { type: 'sine', frequency: hz });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(gain, start + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + seconds);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds);
}
