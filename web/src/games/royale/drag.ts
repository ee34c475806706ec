import type { Attachment } from 'svelte/attachments';

/** How far a finger moves before it is a drag and no tap. */
const DRAG_PX_LEAST = 8;

/**
 * Lets something be dragged onto an element with a `data-place`. A tap stays a click, and the
 * keyboard has ways of its own.
 */
export function dragged(onto: string, drop: (place: number, pressed: number) => void): Attachment<HTMLElement> {
  return (source) => {
    let start: PointerEvent | null = null;
    let ghost: HTMLElement | null = null;
    let target: Element | null = null;

    function lift({ clientX, clientY }: PointerEvent) {
      const { width, height, left, top } = source.getBoundingClientRect();
      ghost = source.cloneNode(true) as HTMLElement;
      ghost.removeAttribute('data-testid');
      ghost.setAttribute('aria-hidden', 'true');
      ghost.inert = true;
      Object.assign(ghost.style, {
        position: 'fixed',
        zIndex: '40',
        width: `${width}px`,
        height: `${height}px`,
        margin: '0',
        pointerEvents: 'none',
        left: `${left - clientX}px`,
        top: `${top - clientY}px`,
        opacity: '0.9',
      });
      source.parentElement?.append(ghost);
    }

    function aim(next: Element | null) {
      if (next === target) return;
      target?.removeAttribute('data-aimed');
      next?.setAttribute('data-aimed', '');
      target = next;
    }

    function move(event: PointerEvent) {
      if (!start) return;
      if (!ghost && Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < DRAG_PX_LEAST) return;
      if (!ghost) lift(start);
      if (ghost) ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) scale(1.08)`;
      const under = document.elementFromPoint(event.clientX, event.clientY);
      aim(under?.closest(`${onto} [data-place]`) ?? null);
    }

    function end(event: PointerEvent) {
      const place = target?.getAttribute('data-place');
      const wasDragged = ghost !== null;
      stop();
      if (!wasDragged) return;
      // The click that follows a drag is none.
      source.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => source.removeEventListener('click', swallow, { capture: true }));
      if (place !== null && place !== undefined) drop(Number(place), event.timeStamp);
    }

    function stop() {
      aim(null);
      ghost?.remove();
      ghost = start = null;
    }

    function swallow(event: Event) {
      event.stopPropagation();
      event.preventDefault();
    }

    function press(event: PointerEvent) {
      if (event.button !== 0 || source.matches(':disabled')) return;
      start = event;
      source.setPointerCapture(event.pointerId);
    }

    source.addEventListener('pointerdown', press);
    source.addEventListener('pointermove', move);
    source.addEventListener('pointerup', end);
    source.addEventListener('pointercancel', stop);
    return () => {
      stop();
      source.removeEventListener('pointerdown', press);
      source.removeEventListener('pointermove', move);
      source.removeEventListener('pointerup', end);
      source.removeEventListener('pointercancel', stop);
    };
  };
}
