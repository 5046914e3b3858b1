// Pits in the ground: scooped out of sand, with the sand heaped at their rims.

import type { Geometry, Point } from '../geometry';
import { chance } from '../slots';
import { circle, gradient, n, path, roundRect } from '../svg';
import type { BoardTheme } from './theme';
import { outline } from './theme';

const LIGHT = 'x1="0" y1="0" x2=".7" y2="1"';

function defs(geometry: Geometry): string {
  const face = outline(geometry, { inset: 3, radius: 0 });
  return (
    gradient('radial', 'ow-sand', 'cx=".4" cy=".3" r=".9"', [
      [0, 'var(--ow-sand-hi)'],
      [0.6, 'var(--ow-sand)'],
      [1, 'var(--ow-sand-lo)'],
    ]) +
    gradient('radial', 'ow-scoop', 'cx=".58" cy=".64" r=".62"', [
      [0, 'var(--ow-scoop-hi)'],
      [0.55, 'var(--ow-scoop)'],
      [1, 'var(--ow-scoop-lo)'],
    ]) +
    gradient('linear', 'ow-slope', LIGHT, [
      [0, '#2b1608', 0.55],
      [0.42, '#2b1608', 0.06],
      [0.65, '#fff3d6', 0],
      [1, '#fff3d6', 0.34],
    ]) +
    gradient('linear', 'ow-heap', LIGHT, [
      [0, 'var(--ow-sand-hi)', 1],
      [0.5, 'var(--ow-sand)', 0.8],
      [1, 'var(--ow-scoop-lo)', 0.55],
    ]) +
    `<clipPath id="ow-clip">${roundRect(face, 30, 0, '')}</clipPath>`
  );
}

/** A closed, uneven line about a middle, `at` giving the point for an angle and a growth. */
function uneven(key: number, steps: number, at: (angle: number, wobble: number) => Point): string {
  const points = Array.from({ length: steps }, (_, i) => {
    return at((i / steps) * 2 * Math.PI, chance(key * 31 + i) - 0.5);
  });
  const half = (a: Point, b: Point) => `${n((a.x + b.x) / 2)} ${n((a.y + b.y) / 2)}`;
  const first = points[0] as Point;
  const last = points[steps - 1] as Point;
  let d = `M${half(last, first)}`;
  points.forEach((point, i) => {
    d += `Q${n(point.x)} ${n(point.y)} ${half(point, points[(i + 1) % steps] as Point)}`;
  });
  return `${d}Z`;
}

/** A scoop: the heap around it, the hollow, its slope, and crumbs. */
function scoop(key: number, at: (angle: number, grow: number) => Point, steps: number): string {
  const shape = (grow: number, wild: number, salt: number) =>
    uneven(key + salt, steps, (angle, wobble) => at(angle, grow + wobble * wild));
  const hole = shape(0, 3, 0);
  let crumbs = '';
  for (let i = 0; i < 16; i += 1) {
    const { x, y } = at(chance(key * 17 + i) * 6.3, 7 + 7 * chance(key + i * 3));
    const colour = i % 3 === 0 ? 'var(--ow-scoop-lo)' : 'var(--ow-sand-hi)';
    crumbs += circle(x, y, 0.7 + 1.3 * chance(i + key), `fill="${colour}" fill-opacity=".7"`);
  }
  return (
    path(shape(8, 5, 100), 'fill="var(--ow-scoop-lo)" fill-opacity=".22"') +
    path(shape(5.5, 5, 200), 'fill="url(#ow-heap)"') +
    path(hole, 'fill="url(#ow-scoop)"') +
    path(hole, 'fill="url(#ow-slope)"') +
    crumbs
  );
}

function speckles(geometry: Geometry): string {
  const { width, height } = geometry;
  const kinds = ['', '', ''];
  const count = Math.round((width * height) / 420);
  for (let i = 0; i < count; i += 1) {
    const x = n(chance(i * 3 + 1) * width);
    const y = n(chance(i * 3 + 2) * height);
    kinds[i % 3] += `M${x} ${y}h0`;
  }
  const draw = (d: string, colour: string, seen: number, wide: number) =>
    path(d, `stroke="${colour}" stroke-opacity="${seen}" stroke-width="${wide}"`);
  return (
    '<g clip-path="url(#ow-clip)" fill="none" stroke-linecap="round">' +
    draw(kinds[0] ?? '', 'var(--ow-scoop-lo)', 0.4, 1.3) +
    draw(kinds[1] ?? '', 'var(--ow-sand-hi)', 0.8, 1.7) +
    draw(kinds[2] ?? '', 'var(--ow-scoop)', 0.35, 2.4) +
    '</g>'
  );
}

/** Lines left by the wind, or by a hand that smoothed the place. */
function ripples(geometry: Geometry): string {
  const { width, height } = geometry;
  let d = '';
  for (let i = 0; i < 16; i += 1) {
    const y = (i + chance(i)) * (height / 16);
    const x = chance(i * 7) * width * 0.7;
    const long = width * (0.12 + 0.2 * chance(i * 5));
    d += `M${n(x)} ${n(y)}q${n(long / 4)} ${n(-5)} ${n(long / 2)} 0t${n(long / 2)} 0`;
  }
  const rest = 'fill="none" stroke="var(--ow-sand-lo)" stroke-opacity=".5" stroke-width="1.6"';
  return `<g clip-path="url(#ow-clip)">${path(d, rest)}</g>`;
}

function body(geometry: Geometry): string {
  const face = outline(geometry, { inset: 3, radius: 30 });
  const pits = geometry.houses.map(({ x, y, r }, index) => {
    const at = (angle: number, grow: number) => ({
      x: x + Math.cos(angle) * (r + grow),
      y: y + Math.sin(angle) * (r + grow),
    });
    return scoop(index, at, 22);
  });
  const stores = geometry.stores.map(({ rect }, index) => {
    const at = (angle: number, grow: number) => {
      // A rounded box: the power pulls the ellipse towards its corners.
      const pull = (value: number) => Math.sign(value) * Math.abs(value) ** 0.55;
      return {
        x: rect.x + rect.width / 2 + pull(Math.cos(angle)) * (rect.width / 2 + grow),
        y: rect.y + rect.height / 2 + pull(Math.sin(angle)) * (rect.height / 2 + grow),
      };
    };
    return scoop(index + 20, at, 40);
  });
  return (
    roundRect(face, 30, 0, 'fill="url(#ow-sand)"') +
    ripples(geometry) +
    speckles(geometry) +
    pits.join('') +
    stores.join('')
  );
}

export const GROUND: BoardTheme = { front: false, defs, body };
