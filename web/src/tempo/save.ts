/** What of an element's look is written into a picture that leaves the page. */
const LOOKS = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'opacity',
  'paint-order',
] as const;
/** Pixels of a picture for each of the page. */
const SHARPNESS = 2;

/** The picture as a file of its own, with its colours in it. */
export function svgText(picture: SVGSVGElement, background: string, style = ''): string {
  const copy = picture.cloneNode(true) as SVGSVGElement;
  const originals = [picture, ...picture.querySelectorAll<SVGElement>('*')];
  [copy, ...copy.querySelectorAll<SVGElement>('*')].forEach((element, index) => {
    const look = getComputedStyle(originals[index]!);
    for (const name of LOOKS) element.setAttribute(name, look.getPropertyValue(name));
    element.removeAttribute('class');
    element.removeAttribute('style');
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const back = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
  back.setAttribute('width', '100%');
  back.setAttribute('height', '100%');
  back.setAttribute('fill', background);
  copy.prepend(back);
  const text = new XMLSerializer().serializeToString(copy);
  return style === '' ? text : text.replace('>', `><style>${style}</style>`);
}

export async function saveSvg(picture: SVGSVGElement, name: string): Promise<void> {
  save(await svgBlob(picture), `${name}.svg`);
}

export async function savePng(picture: SVGSVGElement, name: string): Promise<void> {
  const blob = await pngBlob(picture);
  if (blob) save(blob, `${name}.png`);
}

export async function svgBlob(picture: SVGSVGElement): Promise<Blob> {
  return new Blob([svgText(picture, ground(picture), await fontFaces())], { type: 'image/svg+xml' });
}

export async function pngBlob(picture: SVGSVGElement): Promise<Blob | null> {
  const { width, height } = picture.getBoundingClientRect();
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture, ground(picture), await fontFaces()))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * SHARPNESS;
  canvas.height = height * SHARPNESS;
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, 'image/png'));
}

export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
}

/** What the picture lies on in the page. */
function ground(picture: SVGSVGElement): string {
  return getComputedStyle(picture).getPropertyValue('--surface').trim() || '#fff';
}

/** The page's fonts as part of a file: a picture that leaves the page finds no others. */
async function fontFaces(): Promise<string> {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]).filter((rule) => rule instanceof CSSFontFaceRule);
  const loaded = await Promise.all(
    // Files with a range are for rare letters of names.
    rules
      .filter(({ style }) => style.getPropertyValue('unicode-range') === '')
      .map(async ({ style, parentStyleSheet }) => {
        const file = /url\("?([^")]+)"?\)/.exec(style.getPropertyValue('src'))?.[1];
        if (!file) return '';
        const bytes = await (await fetch(new URL(file, parentStyleSheet?.href ?? location.href))).blob();
        const family = style.getPropertyValue('font-family');
        return `@font-face{font-family:${family};font-weight:${style.getPropertyValue('font-weight')};src:url(${await dataUrl(bytes)})}`;
      }),
  );
  return loaded.join('');
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result as string);
    reader.onerror = () => failed(reader.error);
    reader.readAsDataURL(blob);
  });
}
