import { TIMES, type AudienceState } from '../lib/audience.svelte';
import { SEATS } from '../lib/seats';
import type { Course } from '../wire.gen';
import type { Place, Player, Speed } from './player.svelte';
import { indexAt } from './timeline';

/** How far one may be from the leader before one goes there instead of catching up, in milliseconds. */
const APART_MS_MOST = 400;
/** However fast somebody drags, the others are told so often. */
const STEER_MS = 120;

/**
 * Keeps a player where its audience is. Whoever leads goes where they want to be together with all
 * others: what they do is sent, and done when it comes back. Whoever follows and does something
 * looks by themselves from then on.
 */
export class Together {
  #player: Player;
  #audience: AudienceState;
  #next: Course | null = null;
  #busy = false;

  constructor(player: Player, audience: AudienceState) {
    this.#player = player;
    this.#audience = audience;
    player.helm = (place) => this.#want(place);
  }

  /** Looks alone again. */
  end(): void {
    this.#next = null;
    this.#player.wanted = null;
    this.#player.helm = (place) => this.#player.go(place);
  }

  /** Takes the lead from where one is. */
  lead(): void {
    const { at, index, playing, speed, eyes } = this.#player;
    this.#audience.strays = false;
    void this.#steer(courseOf({ at, index, playing, speed, eyes }));
  }

  /** The leader is somewhere else, or one follows again. */
  follow(): void {
    const { led } = this.#audience;
    const player = this.#player;
    if (!led) {
      player.wanted = null;
      return;
    }
    const { course } = led;
    if (player.wanted && same(courseOf(player.wanted), course)) player.wanted = null;
    const place = placeOf(course);
    const at = course.playing ? Math.min(player.end, this.#audience.position(led) ?? course.at) : course.at;
    const near = course.playing && place.eyes === player.eyes && Math.abs(at - player.at) < APART_MS_MOST * 1_000 * place.speed;
    if (near) {
      player.speed = place.speed;
      player.playing = player.at < player.end;
    } else {
      player.go(course.playing ? { ...place, at, index: indexAt(player.frames, at) } : place);
    }
  }

  /** Lets time pass: that of the audience, or one's own. */
  pass(ms: number): void {
    const { led } = this.#audience;
    const at = led?.course.playing ? this.#audience.position(led) : null;
    if (at === null) return this.#player.pass(ms);
    // A page that was hidden has missed much: it goes there and does not run after it.
    if (at - this.#player.at > 5 * APART_MS_MOST * 1_000 * this.#player.speed) this.follow();
    else this.#player.reach(at);
  }

  #want(place: Place): void {
    const audience = this.#audience;
    if (audience.leads && audience.led) {
      this.#player.wanted = place;
      void this.#steer(courseOf(place));
      return;
    }
    if (audience.led) audience.stray();
    this.#player.go(place);
  }

  /** One message at a time, and always the latest. */
  async #steer(course: Course): Promise<void> {
    this.#next = course;
    if (this.#busy) return;
    this.#busy = true;
    while (this.#next) {
      const lead = this.#next;
      this.#next = null;
      const rest = new Promise((rested) => setTimeout(rested, STEER_MS));
      if (await this.#audience.gesture({ lead })) this.#player.wanted = null;
      await rest;
    }
    this.#busy = false;
  }
}

export function courseOf({ at, index, playing, speed, eyes }: Place): Course {
  return { at: Math.round(at), moves: index, playing, speed: SPEED_WORDS[speed], eyes: typeof eyes === 'number' ? { seat: SEATS[eyes]! } : eyes };
}

export function placeOf({ at, moves, playing, speed, eyes }: Course): Place {
  return { at, index: moves, playing, speed: TIMES[speed], eyes: typeof eyes === 'object' ? SEATS.indexOf(eyes.seat) : eyes };
}

const SPEED_WORDS: Record<Speed, Course['speed']> = { 0.5: 'half', 1: 'true', 2: 'double', 4: 'fourfold', 8: 'eightfold' };

function same(a: Course, b: Course): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
