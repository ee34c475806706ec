import { gameOf } from '../games';
import type { GameName, NamedSetup, Preset, Setup } from '../wire.gen';
import * as api from './api';
import { hasHouseRules, playersOf } from './setup';

/** What the server offers under a name: every preset of every game for every number of players. */
export class Offers {
  #all: readonly NamedSetup[];

  constructor(all: readonly NamedSetup[]) {
    this.#all = all;
  }

  /** How many can play a game. */
  players(game: GameName): number[] {
    return [...new Set(this.#of(game).map(({ setup }) => playersOf(setup)))];
  }

  /** The same without house rules: the numbers that the box is for. */
  playersInBox(game: GameName): number[] {
    return this.players(game).filter((players) => !hasHouseRules(this.setup(game, players, 'faithful')));
  }

  /** What is played by a preset's name; the nearest number of players that the game is for. */
  setup(game: GameName, players: number, preset: Preset): Setup {
    const [least = players] = this.players(game);
    const most = this.players(game).at(-1) ?? players;
    const fitting = Math.min(Math.max(players, least), most);
    const found = this.#of(game).find((each) => each.preset === preset && playersOf(each.setup) === fitting);
    if (!found) throw new Error(`nothing is offered for ${players} players of ${game} as ${preset}`);
    return found.setup;
  }

  /** The name that a set-up goes by; `null` for a set-up that is none of the presets. */
  presetOf(setup: Setup): Preset | null {
    const text = JSON.stringify(setup);
    return this.#all.find((each) => JSON.stringify(each.setup) === text)?.preset ?? null;
  }

  /** Every set-up of a game. */
  setups(game: GameName): Setup[] {
    return this.#of(game).map(({ setup }) => setup);
  }

  #of(game: GameName): NamedSetup[] {
    return this.#all.filter(({ setup }) => gameOf(setup) === game);
  }
}

let fetching: Promise<Offers | api.Problem> | null = null;

/** Asked for once; after a failure, again. */
export function offers(): Promise<Offers | api.Problem> {
  fetching ??= api.setups().then((answer) => {
    if (Array.isArray(answer)) return new Offers(answer);
    fetching = null;
    return answer;
  });
  return fetching;
}
