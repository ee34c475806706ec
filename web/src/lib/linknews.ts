import { m } from '../paraglide/messages';
import type { ConnectionState } from './connection';

/** What is said of a connection: its loss once, however often it is tried again, and its return. */
export class LinkNews {
  #wasOpen = false;
  #isLost = false;

  /** What to say now that the connection is like this; empty for nothing. */
  hear(link: ConnectionState): string {
    switch (link) {
      case 'open': {
        const isBack = this.#isLost;
        this.#wasOpen = true;
        this.#isLost = false;
        return isBack ? m.link_back() : '';
      }
      case 'connecting':
      case 'waiting':
        return this.#wasOpen ? this.#lose(m.link_waiting()) : '';
      case 'crowded':
        return this.#lose(m.link_crowded());
      case 'blocked':
        return m.link_blocked();
      case 'outdated':
        return m.link_outdated();
      case 'closed':
      case 'nameless':
        this.#wasOpen = false;
        this.#isLost = false;
        return '';
    }
  }

  #lose(text: string): string {
    if (this.#isLost) return '';
    this.#isLost = true;
    return text;
  }
}
