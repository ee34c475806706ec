import { announceAfter } from '../../lib/announce.svelte';
import { settings } from '../../lib/settings.svelte';
import type { Cue } from '../../lib/sound';
import type { PhotoFinish, Seat, Table } from '../../wire.gen';
import { Moment } from '../moment.svelte';
import { report } from '../news';
import { CloseCalls, withClose } from './close';
import type { OwnedCard } from './face';
import { soundFirst, type FamilySight } from './instant';
import { beatOf, type Scene } from './scene';
import type { Story } from './story';
import { tellClose, type Ear, type Standing } from './tell';

/** What one update brought, as the game reads it. */
export interface News<Noticed, Now extends Standing> {
  sights: Noticed[];
  /** What is left to look at; `undefined` if what was shown before still stands. */
  story: Story | null | undefined;
  scenes: Scene[] | undefined;
  standing: Now;
  table: Table;
  seat: Seat | null;
  /** A photo finish, and the cards that were laid, in games whose cards lie open. */
  close?: { photo: PhotoFinish | null; played: OwnedCard[] };
}

/** What tells an update in words. */
interface Words<Noticed, Now> {
  tell: (sights: Noticed[], now: Now, ear: Ear) => string[];
}

/**
 * Shows, says and sounds what the updates of a Mind game bring. Make it while the component is set
 * up: it ends with the component. The words are fetched beside the table, which is drawn without them.
 */
export class Narrator<Noticed extends FamilySight, Now extends Standing> {
  #words: Promise<Words<Noticed, Now>>;
  #cueOf: (sight: Noticed) => Cue | null;
  #calls = new CloseCalls();
  story = $state.raw<Story | null>(null);
  readonly moment = new Moment<Scene>(beatOf);

  constructor(words: Promise<Words<Noticed, Now>>, cueOf: (sight: Noticed) => Cue | null) {
    this.#words = words;
    this.#cueOf = cueOf;
    $effect(() => () => this.moment.leave());
  }

  report({ sights, story, scenes, standing, table, seat, close }: News<Noticed, Now>): void {
    if (story !== undefined) this.story = story;
    const call = close ? this.#calls.see(close.photo, close.played) : null;
    if (call) announceAfter(tellClose(call, table));
    const ear = { table, seat, locale: settings.locale, brief: settings.soundFirst };
    report(
      sights,
      this.#words.then(({ tell }) => tell(sights, standing, ear)),
      soundFirst(settings.soundFirst, this.#cueOf),
      this.moment,
      withClose(call, scenes),
    );
  }
}
