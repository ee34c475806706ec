/** What of an element's look is written into a picture that leaves the page. */
const LOOKS = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'opacity'] as const;
/** Pixels of a picture for each of the page. */
const SHARPNESS = 2;

/** The picture as a file of its own, with its colours in it. */
export function svgText(picture: SVGSVGElement, background: string): string {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const originals = [picture, ...picture.querySelectorAll<SVGElement>('*')];
  [copy, ...copy.querySelectorAll<SVGElement>('*')].forEach((element, index) => {
    const look = getComputedStyle(originals[index]!);
    for (const name of LOOKS) element.setAttribute(name, look.getPropertyValue(name));
    element.removeAttribute('class');
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const back = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  back.setAttribute('width', '100%');
  back.setAttribute('height', '100%');
  back.setAttribute('fill', background);
  copy.prepend(back);
  return new XMLSerializer().serializeToString(copy);
}

export function saveSvg(picture: SVGSVGElement, name: string): void {
  save(new Blob([svgText(picture, ground(picture))], { type: 'image/svg+xml' }), `${name}.svg`);
}

export async function savePng(picture: SVGSVGElement, name: string): Promise<void> {
  const { width, height } = picture.getBoundingClientRect();
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture, ground(picture)))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * SHARPNESS;
  canvas.height = height * SHARPNESS;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (blob) save(blob, `${name}.png`);
}

/** What the picture lies on in the page. */
function ground(picture: SVGSVGElement): string {
  return getComputedStyle(picture).getPropertyValue('--surface').trim() || '#fff';
}

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}
