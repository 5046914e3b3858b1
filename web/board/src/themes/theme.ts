// What a board and a kind of seed must draw. Everything is text of SVG, made once per layout.

import type { Geometry } from '../geometry';

export interface BoardTheme {
  /** Whether stores stand before the players. */
  front: boolean;
  /** Gradients, patterns and clips. Names begin with `ow-`. */
  defs(geometry: Geometry): string;
  /** All that lies below the seeds. */
  body(geometry: Geometry): string;
}

export interface SeedTheme {
  /** Gradients and the groups `ow-seed-0` to `ow-seed-5`, each about the origin. */
  defs(): string;
}

/** The lengths in which a theme describes the edge of its board. */
export interface Edge {
  inset: number;
  radius: number;
}

/** The board's outline as a box. */
export function outline(geometry: Geometry, edge: Edge) {
  const { inset } = edge;
  return {
    x: inset,
    y: inset,
    width: geometry.width - 2 * inset,
    height: geometry.height - 2 * inset,
  };
}
