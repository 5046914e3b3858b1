// Signs on houses. They differ in shape, so that they are told apart without colour: a dashed
// ring where a move began, a full ring where it ended, a tick per seed received, a notch with a
// number where seeds were taken. Every line has a casing, so that it is seen on any board.

import type { Geometry, HouseGeometry, Point } from './geometry';
import { indexOf } from './houses';
import type { Effect } from './preview';
import { circle, n, path } from './svg';
import type { House, Mark, Side } from './types';

function cased(draw: (rest: string) => string, width: number, more = ''): string {
  return (
    draw(`class="casing" stroke-width="${n(width + 3)}" ${more}`) +
    draw(`class="core" stroke-width="${n(width)}" ${more}`)
  );
}

function ring(house: HouseGeometry, grow: number, width: number, more = ''): string {
  return cased((rest) => circle(house.x, house.y, house.r + grow, rest), width, more);
}

/** A point at a distance from the rim, turned from the direction of the house's label. */
function onRim(house: HouseGeometry, degrees: number, beyond: number): Point {
  const angle = Math.atan2(house.out.y, house.out.x) + (degrees * Math.PI) / 180;
  const r = house.r + beyond;
  return { x: house.x + Math.cos(angle) * r, y: house.y + Math.sin(angle) * r };
}

function ticks(house: HouseGeometry, count: number): string {
  let d = '';
  for (let i = 0; i < count; i += 1) {
    const degrees = 47 + (i - (count - 1) / 2) * 11;
    const from = onRim(house, degrees, 1);
    const to = onRim(house, degrees, 11);
    d += `M${n(from.x)} ${n(from.y)}L${n(to.x)} ${n(to.y)}`;
  }
  return d ? cased((rest) => path(d, rest), 2.6, 'stroke-linecap="round"') : '';
}

/** Text that its side's player can read. */
function text(at: Point, words: string, size: number, turned: boolean, kind: string): string {
  const turn = turned ? ` transform="rotate(180 ${n(at.x)} ${n(at.y)})"` : '';
  return (
    `<text x="${n(at.x)}" y="${n(at.y)}" class="${kind}" font-size="${size}"${turn} ` +
    `text-anchor="middle" dominant-baseline="central">${words}</text>`
  );
}

function notch(house: HouseGeometry, seeds: number, turned: boolean): string {
  const tip = onRim(house, -47, -9);
  const a = onRim(house, -58, 6);
  const b = onRim(house, -36, 6);
  const d = `M${n(tip.x)} ${n(tip.y)}L${n(a.x)} ${n(a.y)}L${n(b.x)} ${n(b.y)}Z`;
  return path(d, 'class="wedge"') + text(onRim(house, -47, 17), String(seeds), 17, turned, 'taken');
}

/** A short bar across the rim: captured by the rules of sowing, but left where it is. */
function shield(house: HouseGeometry): string {
  const a = onRim(house, -60, 9);
  const b = onRim(house, -34, 9);
  const d = `M${n(a.x)} ${n(a.y)}L${n(b.x)} ${n(b.y)}`;
  return cased((rest) => path(d, rest), 3.4, 'stroke-linecap="round"');
}

/** The marks of a move that has been played. */
export function lastMarks(geometry: Geometry, effect: Effect, facing: boolean): string {
  let art = '';
  geometry.houses.forEach((house, at) => {
    const far = facing && isFar(geometry, at);
    if (at === effect.from) art += ring(house, 3.5, 2.6, 'stroke-dasharray="7 6.2"');
    if (at === effect.last) art += ring(house, 3.5, 3.4);
    art += ticks(house, effect.gains[at] ?? 0);
    if (effect.taken[at]) art += notch(house, effect.taken[at] ?? 0, far);
    if (effect.spared[at]) art += shield(house);
  });
  return art;
}

/** Only where the move began, while its seeds are under way. */
export function originMark(geometry: Geometry, from: number): string {
  const house = geometry.houses[from];
  return house ? ring(house, 3.5, 2.6, 'stroke-dasharray="7 6.2"') : '';
}

function isFar(geometry: Geometry, at: number): boolean {
  return (at < 6 ? 'south' : 'north') === geometry.far;
}

function pill(at: Point, words: string, turned: boolean, kind: string, size: number): string {
  const width = 12 + words.length * size * 0.6;
  const height = size + 8;
  return (
    `<rect x="${n(at.x - width / 2)}" y="${n(at.y - height / 2)}" width="${n(width)}" ` +
    `height="${n(height)}" rx="${n(height / 2)}" class="pill ${kind}"/>` +
    text(at, words, size, turned, `pill-text ${kind}`)
  );
}

/** What a move would do. Houses that get two seeds or more are heavier. */
export function previewMarks(geometry: Geometry, effect: Effect, facing: boolean): string {
  let art = '';
  geometry.houses.forEach((house, at) => {
    const far = facing && isFar(geometry, at);
    const gain = effect.gains[at] ?? 0;
    const taken = effect.taken[at] ?? 0;
    // Beside the number, but not on it.
    const inside = onRim(house, 0, house.out.x === 0 ? -11 : -17);
    if (at === effect.from) art += ring(house, -2, 2.6, 'stroke-dasharray="3 7"');
    if (at === effect.last) art += ring(house, -2, 4);
    if (gain > 0) {
      const heavy = gain > 1;
      art += pill(inside, `+${gain}`, far, heavy ? 'heavy' : 'light', heavy ? 20 : 16);
    }
    if (taken > 0) art += pill(onRim(house, 180, -15), `−${taken}`, far, 'take', 19);
    if (effect.spared[at]) art += shield(house);
  });
  return art;
}

/** How a store would stand, beside its number. */
export function previewStores(
  geometry: Geometry,
  effect: Effect,
  stores: [number, number],
  facing: boolean,
): string {
  let art = '';
  geometry.stores.forEach((store, at) => {
    const now = stores[at as 0 | 1];
    const then = effect.stores[at as 0 | 1];
    if (then === now) return;
    const side: Side = at === 0 ? 'south' : 'north';
    const { x, y, width, height } = store.rect;
    const middle = { x: x + width / 2, y: y + height / 2 };
    art += pill(middle, `→${then}`, facing && side === geometry.far, 'take', 20);
  });
  return art;
}

function arrow(from: HouseGeometry, to: HouseGeometry): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const unit = { x: (to.x - from.x) / length, y: (to.y - from.y) / length };
  const a = { x: from.x + unit.x * 22, y: from.y + unit.y * 22 };
  const b = { x: to.x - unit.x * 26, y: to.y - unit.y * 26 };
  // Bowed to one side, so that arrows to and fro do not cover each other.
  const bow = Math.min(34, length * 0.18);
  const c = { x: (a.x + b.x) / 2 + unit.y * bow, y: (a.y + b.y) / 2 - unit.x * bow };
  const end = Math.atan2(b.y - c.y, b.x - c.x);
  const wing = (turn: number) =>
    `${n(b.x - Math.cos(end + turn) * 15)} ${n(b.y - Math.sin(end + turn) * 15)}`;
  const d =
    `M${n(a.x)} ${n(a.y)}Q${n(c.x)} ${n(c.y)} ${n(b.x)} ${n(b.y)}` +
    `M${wing(0.5)}L${n(b.x)} ${n(b.y)}L${wing(-0.5)}`;
  return cased((rest) => path(d, rest), 5, 'stroke-linecap="round" stroke-linejoin="round"');
}

const SIGNS: Record<Mark['kind'], string> = {
  hint: 'M0 -9L2.6 -2.8 9 -2.4 4.2 1.9 5.6 8.4 0 5 -5.6 8.4 -4.2 1.9 -9 -2.4 -2.6 -2.8Z',
  good: 'M-7 0L-2 6 8 -7',
  bad: 'M-6 -6L6 6M6 -6L-6 6',
  look: 'M0 -8V2M0 7V7.5',
  arrow: '',
};

/** Signs that the host asked for. */
export function hostMarks(geometry: Geometry, marks: readonly Mark[]): string {
  return marks
    .map((mark) => {
      const house = geometry.houses[indexOf(mark.house)];
      const to = mark.to && geometry.houses[indexOf(mark.to)];
      if (!house) return '';
      if (mark.kind === 'arrow') return to ? `<g class="mark-arrow">${arrow(house, to)}</g>` : '';
      const at = onRim(house, 180, -16);
      const sign = SIGNS[mark.kind];
      const seal = sign
        ? `<g transform="translate(${n(at.x)} ${n(at.y)})" class="sign">` +
          circle(0, 0, 13, 'class="seal"') +
          path(sign, 'class="glyph"') +
          '</g>'
        : '';
      return `<g class="mark-${mark.kind}">${ring(house, -3.5, 4)}${seal}</g>`;
    })
    .join('');
}

/** A full ring with a second one in it: chosen, and waiting. */
export function chosenMark(geometry: Geometry, house: House): string {
  const at = geometry.houses[indexOf(house)];
  return at ? ring(at, 3, 3) + ring(at, -5, 1.6) : '';
}
