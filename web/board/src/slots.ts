// Where the n-th seed of a house or store lies. A seed's place depends on its number alone, so no
// seed moves when another arrives or goes, and a house can be counted at a glance: a square of
// four, then one to four at its sides, then one to four at its corners; twelve in all. Seeds 13 to
// 24 lie in the gaps between those, each of them to be seen; further ones lie in a layer above.

import type { Point, Rect } from './geometry';

/** All seeds of the game may lie in one place. */
export const MOST_SEEDS = 48;

/** A stable number from 0 to 1 that looks random, for the little irregularities of real things. */
export function chance(seed: number): number {
  const wave = Math.sin(seed * 127.1 + 311.7) * 43758.5453;
  return wave - Math.floor(wave);
}

function polar(degrees: number, radius: number): Point {
  const angle = (degrees * Math.PI) / 180;
  return { x: Math.cos(angle) * radius, y: Math.sin(angle) * radius };
}

/** Places for radius 1 at the given directions, opposite ones one after the other as on dice. */
function ring(radius: number, turn: number, directions: number[]): Point[] {
  return directions.map((at) => polar(at + turn, radius));
}

const CORNERS = [-135, 45, -45, 135];
const SIDES = [-90, 90, 0, 180];

const PLACES: readonly Point[] = [
  ...ring(0.3, 0, CORNERS),
  ...ring(0.67, 0, SIDES),
  ...ring(0.71, 0, CORNERS),
  // The gaps of those twelve: nowhere does one of them hide another.
  ...ring(0.4, 0, SIDES),
  ...ring(0.56, 22.5, CORNERS),
  ...ring(0.56, -22.5, CORNERS),
  // The layer above, drawn together as heaps are.
  ...ring(0.16, 0, CORNERS),
  ...ring(0.48, 10, SIDES),
  ...ring(0.48, 10, CORNERS),
  ...ring(0.3, 32, SIDES),
  ...ring(0.33, 32, CORNERS),
  ...ring(0.14, 12, SIDES),
];

/** The place of seed `slot` (from 0) in a house of radius `r`, from its middle. */
export function houseSlot(slot: number, r: number, house: number): Point {
  const base = PLACES[slot % MOST_SEEDS] as Point;
  // Off by a hair, differently in each house: enough to look laid by hand, too little to mistake.
  const wobble = polar(360 * chance(house * 53 + slot), 0.035);
  return { x: (base.x + wobble.x) * r, y: (base.y + wobble.y) * r };
}

function hexagonal(rect: Rect, pitch: number, shift: number): Point[] {
  const points: Point[] = [];
  const rise = pitch * 0.87;
  const rows = Math.max(1, Math.floor(rect.height / rise) + 1);
  const most = Math.max(1, Math.floor(rect.width / pitch) + 1);
  for (let row = 0; row < rows; row += 1) {
    // Every other row has one seed less, so that seeds lie in the gaps of their neighbours.
    const columns = (row + shift) % 2 === 1 ? Math.max(1, most - 1) : most;
    for (let column = 0; column < columns; column += 1) {
      points.push({
        x: rect.x + rect.width / 2 + (column - (columns - 1) / 2) * pitch,
        y: rect.y + rect.height / 2 + (row - (rows - 1) / 2) * rise,
      });
    }
  }
  return points;
}

/**
 * The places of 48 seeds in a store: a heap that grows from one end (`from`), in layers where one
 * layer does not hold them.
 */
export function storeSlots(rect: Rect, seed: number, from: Point): Point[] {
  const margin = seed + 4;
  const inner = {
    x: rect.x + margin,
    y: rect.y + margin,
    width: Math.max(0, rect.width - 2 * margin),
    height: Math.max(0, rect.height - 2 * margin),
  };
  const slots: Point[] = [];
  for (let shift = 0; slots.length < MOST_SEEDS; shift += 1) {
    const points = hexagonal(inner, seed * 1.85, shift);
    points.sort((a, b) => distance(a, from) - distance(b, from));
    slots.push(...points);
  }
  return slots.slice(0, MOST_SEEDS).map((point, slot) => {
    const wobble = polar(360 * chance(slot * 7 + rect.x), seed * 0.22);
    return { x: point.x + wobble.x, y: point.y + wobble.y };
  });
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** How a house is spread for counting: rows of ten in two fives, in a box of this size. */
export function spreadSlots(count: number, seed: number): { points: Point[]; box: Rect } {
  const pitch = seed * 2.7;
  const gap = pitch * 0.7;
  const columns = Math.min(Math.max(count, 1), 10);
  const rows = Math.max(1, Math.ceil(count / 10));
  const width = (columns - 1) * pitch + (columns > 5 ? gap : 0);
  const height = (rows - 1) * pitch;
  const points = Array.from({ length: count }, (_, i) => {
    const column = i % 10;
    return {
      x: column * pitch + (column > 4 ? gap : 0) - width / 2,
      y: Math.floor(i / 10) * pitch - height / 2,
    };
  });
  const margin = seed * 2.2;
  const box = {
    x: -width / 2 - margin,
    y: -height / 2 - margin,
    width: width + 2 * margin,
    height: height + 2 * margin,
  };
  return { points, box };
}
