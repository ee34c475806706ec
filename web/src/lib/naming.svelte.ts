import { go } from './place.svelte';
import { session } from './session.svelte';

/** Whether the person is being asked for a name, and what waits for it. */
class Naming {
  asking = $state(false);
  #waiting: ((named: boolean) => void)[] = [];

  /** Asks for a name, unless there is one; resolves to whether there is one now. */
  async need(): Promise<boolean> {
    if (session.me === undefined) await session.meet();
    return session.me ? true : this.ask();
  }

  /** Asks for a name, or another one. */
  ask(): Promise<boolean> {
    this.asking = true;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  answer(named: boolean): void {
    this.asking = false;
    this.#waiting.splice(0).forEach((resolve) => resolve(named));
  }
}

export const naming = new Naming();

/** While a page that needs a name is shown: asks again if the server has forgotten it. */
export function stayNamed(): void {
  $effect(() => {
    if (session.link !== 'nameless') return;
    void naming.need().then((named) => (named ? session.retry() : go('/')));
  });
}
