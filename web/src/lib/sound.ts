import type { Seat } from '../wire.gen';
import { withMoreTexts } from './language.svelte';
import { settings } from './settings.svelte';

/** What can be heard and felt. */
export type Cue =
  | SeatCard
  | 'card'
  | 'begin'
  | 'rest'
  | 'mistake'
  | 'last-life'
  | 'star'
  | 'slate'
  | 'deal'
  | 'close'
  | 'complete'
  | 'won'
  | 'lost'
  | 'stop'
  | 'turn'
  | 'pegs'
  | 'uncover';

/** A card of one seat, for players who hear cards before they are spoken. */
export type SeatCard = `card-${Seat}`;

/** As loud at 70 % as the notes are written; quieter steps at the quiet end. */
const GAIN_MOST = 2;

let context: AudioContext | null = null;
let output: GainNode | null = null;
let synth: typeof import('./synth') | null = null;
let isQuiet = false;
let wantsWater = false;

/** Leaves the sounds to another device in the room; vibration stays. */
export function keepQuiet(quiet: boolean): void {
  isQuiet = quiet;
  setLevel();
}

/** Whether the sound of still water is wanted in the background. */
export function wantWater(wanted: boolean): void {
  wantsWater = wanted;
  tune();
}

/** How loud everything is now, after the volume has changed. */
export function setLevel(): void {
  if (!output && settings.volume > 0 && navigator.userActivation?.isActive) unlockSound();
  if (output) output.gain.value = isQuiet ? 0 : GAIN_MOST * (settings.volume / 100) ** 2;
}

/** Browsers let a page be heard only after a gesture: call it inside one. */
export function unlockSound(): void {
  // What there is to hear and to feel is fetched when it can be heard and felt.
  if (!synth)
    void import('./synth').then(
      (loaded) => {
        synth = loaded;
        tune();
      },
      () => {
        // Without a network there is no sound yet: the next gesture asks again.
      },
    );
  if (settings.volume === 0 || typeof AudioContext === 'undefined') return;
  if (!context) {
    context = new AudioContext();
    output = new GainNode(context);
    output.connect(context.destination);
    setLevel();
  }
  if (context.state === 'suspended') void context.resume();
}

export function cue(name: Cue): void {
  if (settings.captions) void withMoreTexts(import('./captions.svelte')).then(({ caption }) => caption(name));
  if (settings.vibration && navigator.userActivation?.hasBeenActive) synth?.vibrate(name);
  if (!isQuiet && settings.volume > 0 && context?.state === 'running') synth?.play(output!, name);
}

function tune(): void {
  if (output) synth?.setWater(output, wantsWater);
}
