// The curve of a game: what South is expected to end ahead after each ply, as a path.

import type { GameReport, ReportPly } from '../../api/study';

export interface Curve {
  /** Seeds at the upper edge; the lower edge is the same below zero. */
  most: number;
  /** A path through all points, in a box of `width` by `height`. */
  line: string;
  /** The same closed along the line of zero. */
  area: string;
  points: { ply: number; x: number; y: number; south: number }[];
}

/** Seeds of the upper edge: even games are not blown up, wild ones not cut off. */
function edge(values: readonly number[]): number {
  const most = Math.max(4, ...values.map((value) => Math.abs(value)));
  return Math.min(48, Math.ceil(most / 4) * 4);
}

export function curve(report: GameReport, width: number, height: number): Curve {
  const values: { ply: number; south: number }[] = [];
  if (report.start) values.push({ ply: 0, south: report.start.south });
  for (const ply of report.plies) values.push({ ply: ply.ply, south: ply.point.south });
  const most = edge(values.map((value) => value.south));
  const last = Math.max(1, values.at(-1)?.ply ?? 1);
  const points = values.map(({ ply, south }) => ({
    ply,
    south,
    x: (ply / last) * width,
    y: height / 2 - (Math.max(-most, Math.min(most, south)) / most) * (height / 2),
  }));
  const line = points
    .map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join('');
  const [first] = points;
  const end = points.at(-1);
  const zero = (height / 2).toFixed(1);
  const area =
    first && end ? `${line}L${end.x.toFixed(1)} ${zero}L${first.x.toFixed(1)} ${zero}Z` : '';
  return { most, line, area, points };
}

/** Plies that were worth a word, in order. */
export function faults(report: GameReport): ReportPly[] {
  return report.plies.filter(
    (ply) => !ply.forced && ['inaccuracy', 'mistake', 'blunder'].includes(ply.label),
  );
}
