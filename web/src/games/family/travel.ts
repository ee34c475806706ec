import type { Attachment } from 'svelte/attachments';
import type { Seat } from '../../wire.gen';

interface Spot {
  x: number;
  y: number;
  width: number;
}

const TRAVEL_MS = 300;
/** How far above the straight way a card flies, as a share of its way. */
const ARC = 0.14;

/** Where the viewer's own card was when it was pressed: by the time it may fly it has left the hand. */
let pressed: Spot | null = null;

export function rememberPressed(card: Element): void {
  pressed = spotOf(card);
}

/** Whether the viewer asked for less motion. */
export function isStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** Lets a card that has just been laid fly there from the hand of the player who laid it. */
export function fromHand(seat: Seat, own: boolean): Attachment<HTMLElement> {
  return (card) => {
    if (isStill()) return;
    const from = own ? takePressed() : spotOfHand(seat);
    if (!from) return;
    const to = spotOf(card);
    // Under CSS zoom, lengths are multiplied once more when they are drawn.
    const zoom = (card as { currentCSSZoom?: number }).currentCSSZoom ?? 1;
    const [x, y] = [(from.x - to.x) / zoom, (from.y - to.y) / zoom];
    const size = Math.min(1, Math.max(0.3, from.width / to.width));
    const up = -Math.hypot(x, y) * ARC;
    const frames = [
      { transform: `translate(${x}px, ${y}px) rotate(${own ? -6 : 14}deg) scale(${size})`, easing: 'cubic-bezier(0.3, 0, 0.7, 1)' },
      {
        transform: `translate(${x * 0.4}px, ${y * 0.4 + up}px) rotate(${own ? -3 : 6}deg) scale(${(1 + size) / 2 + 0.06})`,
        offset: 0.55,
        easing: 'cubic-bezier(0.2, 0.6, 0.3, 1)',
      },
      { transform: 'none' },
    ];
    const flight = card.animate(frames, { duration: TRAVEL_MS });
    return () => flight.cancel();
  };
}

function takePressed(): Spot | null {
  const card = document.querySelector('[data-testid=hand]');
  const spot = pressed ?? (card && spotOf(card));
  pressed = null;
  return spot;
}

function spotOfHand(seat: Seat): Spot | null {
  const hand = document.querySelector(`[data-hand-of=${seat}]`);
  if (!hand) return null;
  const { x, y, width, height } = hand.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2, width: height * 0.7 };
}

function spotOf(element: Element): Spot {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2, width };
}
