import { flushSync, mount, unmount } from 'svelte';
import { pngBlob, save, svgBlob } from '../tempo/save';
import type { Table } from '../wire.gen';
import Curve from './Curve.svelte';
import type { Summary } from './summary';

/** A picture to take along, the same size on every device. */
export interface PictureOf {
  summary: Summary;
  table: Table;
  names: boolean;
  frame: { title: string; says: string; foot: string };
}

const WIDTH = 1200;
const HEIGHT = 675;

/** Whether this device can hand a picture to another program. */
export function canShare(): boolean {
  return typeof navigator.canShare === 'function' && navigator.canShare({ files: [new File([], 'a.png', { type: 'image/png' })] });
}

export async function sharePicture(picture: PictureOf | null, name: string): Promise<void> {
  const blob = picture && (await drawn(picture, pngBlob));
  if (!blob) return;
  try {
    await navigator.share({ files: [new File([blob], `${name}.png`, { type: 'image/png' })] });
  } catch {
    // The player closed the dialog of the device.
  }
}

export async function downloadPicture(picture: PictureOf | null, name: string, kind: 'svg' | 'png'): Promise<void> {
  const blob = picture && (await drawn(picture, kind === 'svg' ? svgBlob : pngBlob));
  if (blob) save(blob, `${name}.${kind}`);
}

/** Draws a picture outside of what is seen, for as long as it takes to make a file of it. */
async function drawn(picture: PictureOf, make: (element: SVGSVGElement) => Promise<Blob | null>): Promise<Blob | null> {
  const place = document.createElement('div');
  Object.assign(place.style, { position: 'fixed', left: '-9999px', top: '0', width: `${WIDTH}px` });
  place.setAttribute('aria-hidden', 'true');
  document.body.append(place);
  const curve = mount(Curve, { target: place, props: { ...picture, width: WIDTH, height: HEIGHT } });
  flushSync();
  try {
    const element = place.querySelector('svg');
    return element && (await make(element));
  } finally {
    await unmount(curve);
    place.remove();
  }
}
