// Small helpers for drawing.

const NAMESPACE = 'http://www.w3.org/2000/svg';

export type Attributes = Record<string, string | number>;

/** Makes an SVG element. Attributes only: a page may forbid styles written as text. */
export function svg<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** A number as it stands in an attribute: short. */
export function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** The same place as an attribute. */
export function translate(x: number, y: number): string {
  return `translate(${n(x)} ${n(y)})`;
}

/** A circle as attributes `cx`, `cy`, `r` in text. */
export function circle(x: number, y: number, r: number, rest: string): string {
  return `<circle cx="${n(x)}" cy="${n(y)}" r="${n(r)}" ${rest}/>`;
}

export function ellipse(x: number, y: number, rx: number, ry: number, rest: string): string {
  return `<ellipse cx="${n(x)}" cy="${n(y)}" rx="${n(rx)}" ry="${n(ry)}" ${rest}/>`;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A rectangle with round corners in text, grown by `grow` on every side. */
export function roundRect(box: Box, radius: number, grow: number, rest: string): string {
  const { x, y, width, height } = box;
  const r = Math.max(0, radius + grow);
  return (
    `<rect x="${n(x - grow)}" y="${n(y - grow)}" width="${n(width + 2 * grow)}" ` +
    `height="${n(height + 2 * grow)}" rx="${n(r)}" ${rest}/>`
  );
}

/** A path in text. */
export function path(d: string, rest: string): string {
  return `<path d="${d}" ${rest}/>`;
}

/** A gradient from stops of offset, colour and opacity. */
export function gradient(
  kind: 'linear' | 'radial',
  id: string,
  where: string,
  stops: [offset: number, colour: string, opacity?: number][],
): string {
  const inner = stops
    .map(([offset, colour, opacity]) => {
      const seen = opacity === undefined ? '' : ` stop-opacity="${opacity}"`;
      return `<stop offset="${offset}" stop-color="${colour}"${seen}/>`;
    })
    .join('');
  return `<${kind}Gradient id="${id}" ${where}>${inner}</${kind}Gradient>`;
}
