// Carved wood: a thick board with grain, chip carving between the pits, and pits in which the
// light from above on the left falls on the far wall. Colours are custom properties, so that the
// light board, the dark one and the folding one share this drawing.

import type { Geometry, HouseGeometry } from '../geometry';
import { chance } from '../slots';
import { circle, ellipse, gradient, n, path, roundRect } from '../svg';
import type { Box } from '../svg';
import type { BoardTheme } from './theme';
import { outline } from './theme';

const LIGHT = 'x1="0" y1="0" x2=".75" y2="1"';

function defs(geometry: Geometry): string {
  const tall = geometry.layout === 'vertical';
  const box = outline(geometry, { inset: 5, radius: 0 });
  const face = { ...box, height: box.height - 4 };
  return (
    gradient('linear', 'ow-face', tall ? 'x2="1" y2="0"' : 'x2="0" y2="1"', [
      [0, 'var(--ow-wood-hi)'],
      [0.5, 'var(--ow-wood)'],
      [1, 'var(--ow-wood-lo)'],
    ]) +
    gradient('radial', 'ow-bowl', 'cx=".56" cy=".6" r=".62"', [
      [0, 'var(--ow-bowl-hi)'],
      [0.62, 'var(--ow-bowl)'],
      [1, 'var(--ow-bowl-lo)'],
    ]) +
    gradient('linear', 'ow-wall', LIGHT, [
      [0, '#000', 0.62],
      [0.36, '#000', 0.12],
      [0.62, 'var(--ow-shine)', 0],
      [1, 'var(--ow-shine)', 0.3],
    ]) +
    gradient('linear', 'ow-lip', LIGHT, [
      [0, 'var(--ow-wood-dark)', 0.95],
      [0.45, 'var(--ow-wood-dark)', 0.3],
      [0.6, 'var(--ow-shine)', 0.25],
      [1, 'var(--ow-shine)', 0.95],
    ]) +
    gradient('linear', 'ow-rim', LIGHT, [
      [0, 'var(--ow-shine)', 0.9],
      [0.5, 'var(--ow-shine)', 0.15],
      [1, 'var(--ow-wood-dark)', 0.7],
    ]) +
    `<clipPath id="ow-clip">${roundRect(face, radius(geometry), 0, '')}</clipPath>`
  );
}

function radius(geometry: Geometry): number {
  return geometry.front ? 26 : geometry.layout === 'vertical' ? 46 : 78;
}

/** Long lines of grain along the board, bending a little around each other. */
function grain(geometry: Geometry): string {
  const tall = geometry.layout === 'vertical';
  const length = tall ? geometry.height : geometry.width;
  const across = tall ? geometry.width : geometry.height;
  const point = (along: number, side: number) =>
    tall ? `${n(side)} ${n(along)}` : `${n(along)} ${n(side)}`;
  let lines = '';
  const count = Math.round(across / 6.5);
  for (let i = 0; i < count; i += 1) {
    const at = ((i + 0.7 * chance(i)) / count) * across;
    const bend = (k: number) =>
      at + (chance(i * 9 + k) - 0.5) * 9 + 7 * Math.sin(at / 37 + k * 1.3);
    let d = `M${point(-10, bend(0))}`;
    for (let k = 0; k < 4; k += 1) {
      const step = (length + 20) / 4;
      const a = -10 + k * step;
      d += `C${point(a + step * 0.35, bend(k))} ${point(a + step * 0.65, bend(k + 1))} `;
      d += point(a + step, bend(k + 1));
    }
    const dark = chance(i + 40) > 0.35;
    const colour = dark ? 'var(--ow-wood-dark)' : 'var(--ow-shine)';
    const seen = n(dark ? 0.1 + 0.16 * chance(i + 7) : 0.1 + 0.1 * chance(i + 3));
    const wide = n(0.5 + 1.7 * chance(i + 21));
    lines += path(d, `stroke="${colour}" stroke-opacity="${seen}" stroke-width="${wide}"`);
  }
  return `<g clip-path="url(#ow-clip)" fill="none">${lines}</g>`;
}

/** A flower of four chips, cut where four pits leave wood between them. */
function flower(x: number, y: number, size: number): string {
  let petals = '';
  for (let turn = 0; turn < 4; turn += 1) {
    const d = `M0 0Q${n(size * 0.42)} ${n(-size * 0.5)} 0 ${n(-size)}`;
    petals +=
      `<g transform="rotate(${turn * 90})">` +
      path(`${d}Q${n(-size * 0.42)} ${n(-size * 0.5)} 0 0Z`, 'fill="var(--ow-cut)"') +
      path(`${d}L0 0Z`, 'fill="var(--ow-cut-hi)"') +
      '</g>';
  }
  return `<g transform="translate(${n(x)} ${n(y)}) rotate(45)">${petals}</g>`;
}

/** A band of triangular chips from one point to another, cut towards the left of the way. */
function chips(x1: number, y1: number, x2: number, y2: number, size: number): string {
  const length = Math.hypot(x2 - x1, y2 - y1);
  const count = Math.max(1, Math.round(length / size));
  const step = length / count;
  let cut = '';
  let lit = '';
  for (let i = 0; i < count; i += 1) {
    const a = i * step;
    cut += `M${n(a + 1)} 0L${n(a + step - 1)} 0L${n(a + step / 2)} ${n(-size * 0.8)}Z`;
    const tip = n(a + step / 2);
    lit += `M${n(a + step - 1)} 0L${tip} ${n(-size * 0.8)}L${tip} ${n(-size * 0.25)}Z`;
  }
  const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
  return (
    `<g transform="translate(${n(x1)} ${n(y1)}) rotate(${n(angle)})">` +
    path(cut, 'fill="var(--ow-cut)"') +
    path(lit, 'fill="var(--ow-cut-hi)"') +
    '</g>'
  );
}

function carving(geometry: Geometry): string {
  const { layout, width, height, front } = geometry;
  const near = geometry.houses.slice(0, 6);
  let cuts = '';
  for (let i = 0; i + 1 < near.length; i += 1) {
    const a = near[i] as HouseGeometry;
    const b = near[i + 1] as HouseGeometry;
    if (front && layout === 'horizontal' && i === 2) continue;
    const x = layout === 'vertical' ? width / 2 : (a.x + b.x) / 2;
    const y = layout === 'vertical' ? (a.y + b.y) / 2 : height / 2;
    cuts += flower(x, y, 14);
  }
  if (!front && layout === 'horizontal') {
    // Bands of chips part the stores from the houses.
    for (const x of [134, width - 134]) {
      cuts += chips(x, 52, x, height - 52, 13) + chips(x, height - 52, x, 52, 13);
    }
  }
  return cuts;
}

/** A pit or a store: bowl, rings of grain, wall, lip. */
function hollow(draw: (grow: number, rest: string) => string, rings: string): string {
  return (
    draw(4.5, 'fill="none" stroke="var(--ow-wood-dark)" stroke-opacity=".16" stroke-width="3"') +
    draw(0, 'fill="url(#ow-bowl)"') +
    rings +
    draw(0, 'fill="url(#ow-wall)"') +
    draw(0.6, 'fill="none" stroke="url(#ow-lip)" stroke-width="2.6"')
  );
}

function pit(house: HouseGeometry, index: number, tall: boolean): string {
  const { x, y, r } = house;
  let rings = '';
  for (let k = 1; k <= 4; k += 1) {
    const size = r * (0.2 * k + 0.06 * chance(index * 5 + k));
    const dx = (chance(index + k * 3) - 0.5) * 5;
    const flat = size * 0.72;
    rings += ellipse(
      x + dx,
      y + 2,
      tall ? flat : size,
      tall ? size : flat,
      'fill="none" stroke="var(--ow-wood-dark)" stroke-opacity=".17" stroke-width="1.1"',
    );
  }
  return hollow((grow, rest) => circle(x, y, r + grow, rest), rings);
}

function storePit(rect: Box): string {
  const round = Math.min(rect.width, rect.height) / 2;
  return hollow((grow, rest) => roundRect(rect, round, grow, rest), '');
}

/** Two hinges of brass over the cut where the board folds. */
function hinge(geometry: Geometry): string {
  const { width, height, layout } = geometry;
  const tall = layout === 'vertical';
  const middle = (tall ? height : width) / 2;
  const end = tall ? width : height;
  const line = (shift: number) =>
    tall ? `M5 ${middle + shift}H${end - 5}` : `M${middle + shift} 5V${end - 5}`;
  let art =
    path(line(0), 'stroke="#000" stroke-opacity=".6" stroke-width="2.4"') +
    path(line(1.8), 'stroke="var(--ow-shine)" stroke-opacity=".5" stroke-width="1"');
  // The plates sit between the numbers, where no seed lies.
  for (const at of tall ? [87, end - 87] : [111, end - 111]) {
    const box = tall
      ? { x: at - 15, y: middle - 9, width: 30, height: 18 }
      : { x: middle - 9, y: at - 15, width: 18, height: 30 };
    art += roundRect({ ...box, y: box.y + 1.5 }, 3, 0.6, 'fill="#000" fill-opacity=".4"');
    art += roundRect(box, 3, 0, 'fill="url(#ow-brass)" stroke="#5b4313" stroke-width=".8"');
    const [dx, dy] = tall ? [9, 5] : [5, 9];
    for (const sx of [-1, 1]) {
      for (const sy of [-1, 1]) {
        const x = (tall ? at : middle) + sx * dx;
        const y = (tall ? middle : at) + sy * dy;
        art +=
          circle(x, y, 1.6, 'fill="#6d5218"') + circle(x - 0.4, y - 0.4, 0.7, 'fill="#f6e3a4"');
      }
    }
  }
  return art;
}

function body(geometry: Geometry, folding: boolean): string {
  const round = radius(geometry);
  const face = outline(geometry, { inset: 5, radius: round });
  const tall = geometry.layout === 'vertical';
  const below = (dy: number) => ({ ...face, y: face.y + dy, height: face.height - 3 });
  const incised = (grow: number, rest: string) =>
    roundRect(face, round, grow, `fill="none" ${rest}`);
  const hollows = geometry.houses.map((house, index) => pit(house, index, tall)).join('');
  return (
    roundRect(below(4), round, 0.5, 'fill="#000" fill-opacity=".2"') +
    roundRect(below(2.5), round, 0, 'fill="var(--ow-wood-dark)"') +
    roundRect({ ...face, height: face.height - 4 }, round, 0, 'fill="url(#ow-face)"') +
    grain(geometry) +
    roundRect(
      { ...face, height: face.height - 4 },
      round,
      -1,
      'fill="none" stroke="url(#ow-rim)" stroke-width="2"',
    ) +
    incised(-9, 'stroke="var(--ow-wood-dark)" stroke-opacity=".55" stroke-width="1.6"') +
    incised(-10.4, 'stroke="var(--ow-shine)" stroke-opacity=".45" stroke-width="1"') +
    carving(geometry) +
    hollows +
    geometry.stores.map((store) => storePit(store.rect)).join('') +
    (folding ? hinge(geometry) : '')
  );
}

export const WOOD: BoardTheme = { front: false, defs, body: (geometry) => body(geometry, false) };

export const FOLDING: BoardTheme = {
  front: true,
  defs: (geometry) =>
    defs(geometry) +
    gradient('linear', 'ow-brass', 'x2="1" y2="1"', [
      [0, '#f3dd94'],
      [0.45, '#c79a3b'],
      [1, '#8a6420'],
    ]),
  body: (geometry) => body(geometry, true),
};
