import type { Component } from 'svelte';
import type { Command, Help, Options, PhotoFinish, Seat, Sight, Table } from '../wire.gen';

/**
 * What a game is handed. It draws `view`, offers what is in `options`, animates and announces
 * `sights`, and knows no rule.
 */
export interface GameProps<View> {
  table: Table;
  /** Where the viewer sits; `null` for a spectator and on a big screen. */
  seat: Seat | null;
  view: View;
  options: Options | null;
  /** What the table works out for the viewer, in games where it does. */
  help: Help | null;
  /** What the last update brought: a new array each time, empty if it only brought the state. */
  sights: Sight[];
  /** Two plays of the last update that were too close to tell apart. */
  photo: PhotoFinish | null;
  /** Sends a command; `pressed` is the `timeStamp` of the event that the player made. Resolves to whether it was done. */
  act(command: Command, pressed: number): Promise<boolean>;
  /** Whether a command is on its way. */
  pending: boolean;
  /** `whole`: the table and the hand. `hand`: the hand and the controls. `screen`: the public table, for all in a room. */
  mode: Mode;
}

export type Mode = 'whole' | 'hand' | 'screen';

export type GameComponent<View> = Component<GameProps<View>>;
