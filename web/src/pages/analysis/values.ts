// Values in words: none stands without the way it is known, and none without a side.

import type { MoveValue, ProbeAnswer, Values } from '../../api/study';
import type { Side } from '../../api/types';
import { language, t } from '../../i18n.svelte';

/** Seeds with a sign; hundredths only where the value is an estimate. */
export function signed(seeds: number, digits = 0): string {
  return new Intl.NumberFormat(language(), {
    signDisplay: 'exceptZero',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(seeds);
}

/** A value turned so that South's gain is above zero. */
export function forSouth(value: number, mover: Side): number {
  const turned = mover === 'south' ? value : -value;
  // There is no minus zero for people.
  return turned === 0 ? 0 : turned;
}

/** What a move is worth, seen by South: `+3`, `-0.25`, `≥ +2`. */
export function valueText(move: MoveValue, mover: Side): string {
  const value = signed(forSouth(move.value, mover), move.known === 'search' ? 2 : 0);
  if (move.bound === 'exact') return value;
  const above = (move.bound === 'lower') === (mover === 'south');
  return `${above ? '≥' : '≤'} ${value}`;
}

/** How it is known. */
export function knownText(move: MoveValue): string {
  const text = t(`analysis-known-${move.known}`, { depth: move.depth ?? 0 });
  return move.past ? `${text} ${t('analysis-past')}` : text;
}

/** The value South has in the position, from the tables where they prove it, else the engine. */
export function southValue(
  engine: readonly MoveValue[],
  tables: ProbeAnswer | null,
  mover: Side,
): number | null {
  if (tables?.claim === 'exact') return forSouth(tables.ahead, mover);
  const best = engine[0];
  if (best) return forSouth(best.value, mover);
  if (tables?.claim === 'if_even') return forSouth(tables.ahead, mover);
  return null;
}

/** How much of the bar is South's, 0 to 1: a few seeds matter, the next twenty hardly. */
export function share(south: number): number {
  return 1 / (1 + Math.exp(-south / 4));
}

/** What the mover ends ahead by a move, the stores included, by each convention. */
export function finals(values: Values, lead: number, mover: Side): Values {
  const turn = (value: number | null): number | null =>
    value === null ? null : forSouth(lead + value, mover);
  const { even, low, high } = values;
  // What is the least for North is the most for South.
  return mover === 'south'
    ? { even: turn(even), low: turn(low), high: turn(high) }
    : { even: turn(even), low: turn(high), high: turn(low) };
}
