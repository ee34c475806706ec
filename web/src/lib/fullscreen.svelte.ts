/** Whether the page fills the whole screen, and the way there and back. */
class FullScreen {
  #on = $state(document.fullscreenElement !== null);

  constructor() {
    document.addEventListener('fullscreenchange', () => (this.#on = document.fullscreenElement !== null));
  }

  /** Some phones have no full screen for pages. */
  readonly offered = document.fullscreenEnabled;

  get on(): boolean {
    return this.#on;
  }

  /** Call it inside a gesture. */
  async toggle(): Promise<void> {
    try {
      await (this.#on ? document.exitFullscreen() : document.documentElement.requestFullscreen());
    } catch {
      // The browser refused; the page stays as it is.
    }
  }
}

export const fullScreen = new FullScreen();
