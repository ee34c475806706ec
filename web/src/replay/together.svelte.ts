import { TIMES, type AudienceState } from '../lib/audience.svelte';
import { SEATS } from '../lib/seats';
import type { Playback } from '../wire.gen';
import type { Place, Player, Speed } from './player.svelte';
import { indexAt } from './timeline';

/** A follower who is further than this from the leader jumps there instead of catching up, in milliseconds. */
const APART_MS_MOST = 400;
/** How often a leader's playback is sent while they drag. */
const STEER_MS = 120;

/**
 * Keeps a replay player in step with its audience. What the leader does is sent to the server and
 * done when it comes back, at the same moment as for all others. A follower who does something
 * watches alone from then on.
 */
export class Together {
  #player: Player;
  #audience: AudienceState;
  #next: Playback | null = null;
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
    void this.#steer(playbackOf({ at, index, playing, speed, eyes }));
  }

  /** The leader is somewhere else, or one follows again. */
  follow(): void {
    const { led } = this.#audience;
    const player = this.#player;
    if (!led) {
      player.wanted = null;
      return;
    }
    const { playback } = led;
    if (player.wanted && same(playbackOf(player.wanted), playback)) player.wanted = null;
    const place = placeOf(playback);
    const at = playback.playing ? Math.min(player.end, this.#audience.position(led) ?? playback.at) : playback.at;
    const near = playback.playing && place.eyes === player.eyes && Math.abs(at - player.at) < APART_MS_MOST * 1_000 * place.speed;
    if (near) {
      player.speed = place.speed;
      player.playing = player.at < player.end;
    } else {
      player.go(playback.playing ? { ...place, at, index: indexAt(player.frames, at) } : place);
    }
  }

  /** Lets time pass: that of the audience, or one's own. */
  pass(ms: number): void {
    const { led } = this.#audience;
    const at = led?.playback.playing ? this.#audience.position(led) : null;
    if (at === null) return this.#player.pass(ms);
    // A page that was hidden has missed much: it goes there and does not run after it.
    if (at - this.#player.at > 5 * APART_MS_MOST * 1_000 * this.#player.speed) this.follow();
    else this.#player.reach(at);
  }

  #want(place: Place): void {
    const audience = this.#audience;
    if (audience.leads && audience.led) {
      this.#player.wanted = place;
      void this.#steer(playbackOf(place));
      return;
    }
    if (audience.led) audience.unfollow();
    this.#player.go(place);
  }

  /** One message at a time, and always the latest. */
  async #steer(playback: Playback): Promise<void> {
    this.#next = playback;
    if (this.#busy) return;
    this.#busy = true;
    while (this.#next) {
      const lead = this.#next;
      this.#next = null;
      const rest = new Promise((rested) => setTimeout(rested, STEER_MS));
      if (await this.#audience.ask({ lead })) this.#player.wanted = null;
      await rest;
    }
    this.#busy = false;
  }
}

export function playbackOf({ at, index, playing, speed, eyes }: Place): Playback {
  return {
    at: Math.round(at),
    moves: index,
    playing,
    speed: SPEED_WORDS[speed],
    point_of_view: typeof eyes === 'number' ? { seat: SEATS[eyes]! } : eyes,
  };
}

export function placeOf({ at, moves, playing, speed, point_of_view }: Playback): Place {
  return {
    at,
    index: moves,
    playing,
    speed: TIMES[speed],
    eyes: typeof point_of_view === 'object' ? SEATS.indexOf(point_of_view.seat) : point_of_view,
  };
}

const SPEED_WORDS: Record<Speed, Playback['speed']> = { 0.5: 'half', 1: 'true', 2: 'double', 4: 'fourfold', 8: 'eightfold' };

function same(a: Playback, b: Playback): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
