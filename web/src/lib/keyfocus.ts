/**
 * Where the keyboard focus is in each state of a page. When the part that has it goes away, or can
 * no longer be used, it moves to the first of these homes that is there. A part names its home by
 * `data-home`; one that cannot be pressed has `tabindex="-1"`.
 */
export const HOMES = {
  dialog: 'a dialog has lost the part with the focus: its title',
  paused: 'the network has paused the level: why',
  missing: 'a player is missing, and nothing can be played: who, and what the others can do',
  ending: 'the game is over, or may go on after a victory: how it came out',
  pad: 'hands are laid on the table: the pad',
  choice: 'a card is chosen for a star: what is asked, or who is still choosing',
  seer: 'the viewer may look at the cards: that they are the Seer',
  hint: 'the viewer writes on the slate: the first card that can be written, or the button that goes on',
  card: 'a level is played: the front card',
  empty: 'a level is played and the viewer has no cards left: that there are none',
  cell: 'the viewer hides a code: the card of the grid that Tab leads to',
  place: 'the viewer asks a row: the place that Tab leads to',
  status: 'another player acts: what the viewer waits for',
  begin: 'a lobby: the button to be ready, or to start',
  title: 'any other page, and for spectators: the heading',
} as const;

export type Home = keyof typeof HOMES;

/** Homes that the focus does not leave a heading for, which a listener may be reading. */
const QUIET: readonly Home[] = ['begin', 'title'];

/** Keeps the focus from falling to the body for as long as the page is there. */
export function keepFocus(): void {
  let last: Element | null = null;
  let application: Element | null = null;
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    last = target;
    application = target.closest('[role=application]');
  });
  const look = () => {
    const part = homeFor(last);
    if (part) enter(part, application);
  };
  new MutationObserver(look).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['data-home', 'disabled', 'open'],
  });
}

/** How long a screen reader has to notice that it is in an application, also on a busy machine. */
const ENTER_MS = 3_000;

/**
 * Focuses a part. One in an application that the focus was not in is focused after the application
 * itself: Orca hands keys to the page only if it has seen the focus there. A key for the part does
 * not wait for that.
 */
function enter(part: HTMLElement, before: Element | null): void {
  const application = part.closest<HTMLElement>('[role=application]');
  if (!application || application === before) return part.focus();
  const goOn = () => {
    application.removeEventListener('keydown', pressed, true);
    clearTimeout(timer);
    if (document.activeElement !== application) return null;
    const home = isUsable(part) ? part : firstHome(application)[1];
    home?.focus();
    return home ?? null;
  };
  const pressed = (event: KeyboardEvent) => {
    if (LEFT_ALONE.includes(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    const home = goOn();
    if (!home) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    const isFree = home.dispatchEvent(new KeyboardEvent('keydown', event));
    if (event.key === 'Enter' && isFree) home.click();
  };
  const timer = setTimeout(goOn, ENTER_MS);
  application.addEventListener('keydown', pressed, true);
  application.focus();
}

/** Keys that the browser or the table hears wherever the focus is. */
const LEFT_ALONE: readonly string[] = ['Tab', 'Shift', 'Control', 'Alt', 'Meta', ' ', 'Escape', '?'];

/**
 * For a dialog that opens: returns what gives the focus back to its opener, which the browser does
 * not do for a dialog that is off the page already. A player who opened it with a pointer plays on
 * with Space, which would press the opener again.
 */
export function borrowFocus(): () => void {
  const opener = document.activeElement;
  const byPointer = opener !== null && !opener.matches(':focus-visible');
  return () => {
    const plays = byPointer && document.querySelector('[data-home=pad], [data-home=card]') !== null;
    // In the dialog a screen reader may have taken the letters back for itself.
    if (opener instanceof HTMLElement && opener.isConnected && !plays) enter(opener, null);
  };
}

/** Where the focus should go from the part that had it last; `null` if it stays. */
function homeFor(last: Element | null): HTMLElement | null {
  const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
  const isThere = last !== null && isUsable(last) && (!dialog || dialog.contains(last));
  const isIdle = isThere && last.matches('[data-home][tabindex="-1"]');
  if (isThere && !(isIdle && last === document.activeElement)) return null;
  const [home, part] = firstHome(dialog ?? document.body);
  // On a page without a first press yet, and from a heading, only a state of a game takes the focus.
  if (!part || part === last || ((isIdle || last === null) && QUIET.includes(home))) return null;
  return part;
}

function firstHome(scope: Element): [Home, HTMLElement | undefined] {
  for (const home of Object.keys(HOMES) as Home[]) {
    const part = [...scope.querySelectorAll<HTMLElement>(`[data-home=${home}]`)].find(isUsable);
    if (part) return [home, part];
  }
  return ['title', undefined];
}

function isUsable(part: Element): boolean {
  return part.isConnected && !part.matches(':disabled') && part.checkVisibility();
}
