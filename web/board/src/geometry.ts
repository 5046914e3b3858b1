// Where things are, in units of the drawing. A layout has a fixed size, so that nothing on a page
// moves when a board changes; the drawing is scaled to the element.

import { HOUSE_COUNT, ROW, indexOf, ownHouse, sideOf } from './houses';
import type { House, LayoutName, Side } from './types';

export interface Point {
  x: number;
  y: number;
}

export interface Rect extends Point {
  width: number;
  height: number;
}

export interface HouseGeometry extends Point {
  /** Radius of the pit. */
  r: number;
  /** Middle of the number. */
  count: Point;
  /** Middle of the letter. */
  name: Point;
  /** What a finger may hit: the whole column (or row) of the house on its side. */
  hit: Rect;
  /** Direction from the pit to its label, a unit vector. */
  out: Point;
}

export interface StoreGeometry {
  rect: Rect;
  /** Middle of the number. */
  count: Point;
}

export interface Geometry {
  layout: LayoutName;
  /** Stores stand before the players instead of at their right hands. */
  front: boolean;
  width: number;
  height: number;
  /** In the order A..F, a..f. */
  houses: HouseGeometry[];
  /** South's and North's. */
  stores: [StoreGeometry, StoreGeometry];
  /** Which side is above (or on the left). */
  far: Side;
  /** Radius of a seed. */
  seed: number;
}

const PITCH = 106;
const RADIUS = 46;
const SEED = 10.4;
/** A side's label strip: from the rim of the pit to the middle of the number. */
const STRIP = 24;

interface Frame {
  width: number;
  height: number;
  /** Middles of the six places of a row along it, and of the two rows across it. */
  along: number[];
  across: [near: number, far: number];
}

function horizontalFrame(front: boolean): Frame {
  const width = front ? 706 : 920;
  const height = front ? 470 : 312;
  // A folding board has its hinge in the middle.
  const hinge = front ? 8 : 0;
  const along = Array.from({ length: ROW }, (_, i) => {
    return width / 2 + (i - 2.5) * PITCH + (i < 3 ? -hinge : hinge);
  });
  return { width, height, along, across: [height / 2 + 54, height / 2 - 54] };
}

function verticalFrame(): Frame {
  const height = 664;
  const along = Array.from({ length: ROW }, (_, i) => height / 2 - (i - 2.5) * 104);
  return { width: 408, height, along, across: [258, 150] };
}

function horizontalHouse(frame: Frame, place: number, far: boolean): HouseGeometry {
  // The far side's first house is at his left hand, so on the viewer's right.
  const x = frame.along[far ? ROW - 1 - place : place] as number;
  const y = frame.across[far ? 1 : 0];
  const out = far ? -1 : 1;
  const middle = frame.height / 2;
  const edge = y + out * (RADIUS + 46);
  const labels = y + out * (RADIUS + STRIP);
  return {
    x,
    y,
    r: RADIUS,
    count: { x, y: labels },
    name: { x: x - out * 30, y: labels },
    hit: {
      x: x - PITCH / 2,
      y: Math.min(middle, edge),
      width: PITCH,
      height: Math.abs(edge - middle),
    },
    out: { x: 0, y: out },
  };
}

function verticalHouse(frame: Frame, place: number, far: boolean): HouseGeometry {
  const y = frame.along[far ? ROW - 1 - place : place] as number;
  const x = frame.across[far ? 1 : 0];
  const out = far ? -1 : 1;
  const middle = frame.width / 2;
  const edge = x + out * (RADIUS + 36);
  const labels = x + out * (RADIUS + 17);
  return {
    x,
    y,
    r: RADIUS,
    count: { x: labels, y },
    name: { x: labels, y: y + 27 },
    hit: { x: Math.min(middle, edge), y: y - 52, width: Math.abs(edge - middle), height: 104 },
    out: { x: out, y: 0 },
  };
}

function stores(frame: Frame, layout: LayoutName, front: boolean): [StoreGeometry, StoreGeometry] {
  const { width, height } = frame;
  if (layout === 'vertical') {
    const rect = { y: 30, width: 52, height: height - 104 };
    return [
      { rect: { x: width - 68, ...rect }, count: { x: width - 44, y: height - 46 } },
      { rect: { x: 16, ...rect, y: 74 }, count: { x: 44, y: 46 } },
    ];
  }
  if (front) {
    const rect = { width: width - 148, height: 58 };
    return [
      { rect: { x: 40, y: height - 88, ...rect }, count: { x: width - 66, y: height - 59 } },
      { rect: { x: 108, y: 30, ...rect }, count: { x: 66, y: 59 } },
    ];
  }
  const rect = { width: 90, height: 196 };
  return [
    { rect: { x: width - 118, y: 36, ...rect }, count: { x: width - 73, y: height - 46 } },
    { rect: { x: 28, y: height - 36 - 196, ...rect }, count: { x: 73, y: 46 } },
  ];
}

/** The places of everything, for a layout and for the side that is near (below or right). */
export function geometry(layout: LayoutName, near: Side, front: boolean): Geometry {
  const frame = layout === 'vertical' ? verticalFrame() : horizontalFrame(front);
  const make = layout === 'vertical' ? verticalHouse : horizontalHouse;
  const houses = Array.from({ length: HOUSE_COUNT }, (_, index) => {
    const side: Side = index < ROW ? 'south' : 'north';
    return make(frame, index % ROW, side !== near);
  });
  const [own, other] = stores(frame, layout, front);
  return {
    layout,
    front,
    width: frame.width,
    height: frame.height,
    houses,
    stores: near === 'south' ? [own, other] : [other, own],
    far: near === 'south' ? 'north' : 'south',
    seed: SEED,
  };
}

/** Below this width in CSS pixels six columns would be narrower than a finger. */
const NARROW = 560;
/** A scrollbar that comes and goes must not turn the board to and fro. */
const SLACK = 20;

/**
 * The layout for a box of so many CSS pixels; `height` is Infinity where nothing limits it. The
 * layout that is shown now is kept in doubtful cases.
 */
export function chooseLayout(width: number, height: number, now: LayoutName | null): LayoutName {
  const limit = NARROW + (now === 'vertical' ? SLACK : now === 'horizontal' ? -SLACK : 0);
  if (width >= limit || width <= 0) return 'horizontal';
  const tall = Math.min(width / 408, height / 664);
  const wide = Math.min(width / 920, height / 312);
  return tall >= wide ? 'vertical' : 'horizontal';
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** The house that an arrow key leads to from a house, as it is drawn; the same at an edge. */
export function neighbour(
  house: House,
  direction: Direction,
  layout: LayoutName,
  near: Side,
): House {
  const index = indexOf(house) % ROW;
  const isNear = sideOf(house) === near;
  // Steps along the row towards the near side's right hand, which is up in a vertical layout.
  const along: Record<Direction, number> =
    layout === 'vertical'
      ? { up: 1, down: -1, left: 0, right: 0 }
      : { right: 1, left: -1, up: 0, down: 0 };
  const step = along[direction];
  if (step !== 0) {
    const place = index + (isNear ? step : -step);
    return place < 0 || place >= ROW ? house : ownHouse(sideOf(house), place + 1);
  }
  const towardsFar = layout === 'vertical' ? direction === 'left' : direction === 'up';
  if (towardsFar !== isNear) return house;
  const other: Side = sideOf(house) === 'south' ? 'north' : 'south';
  return ownHouse(other, ROW - index);
}
