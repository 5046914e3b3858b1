// What a host hands in is looked at before anything is changed.

import { HOUSE_COUNT, isHouse } from './houses';
import type { BoardPosition, Counts, Trace } from './types';

function refuse(field: string, expected: string, got: unknown): never {
  throw new TypeError(`${field}: expected ${expected}, got ${JSON.stringify(got)}`);
}

function isSeeds(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 48;
}

/** Checks houses and stores. Throws a TypeError that names the field. */
export function checkCounts(name: string, counts: Counts): void {
  const { houses, stores } = counts;
  if (!Array.isArray(houses) || houses.length !== HOUSE_COUNT) {
    refuse(`${name}.houses`, '12 numbers', houses);
  }
  houses.forEach((seeds, at) => {
    if (!isSeeds(seeds)) refuse(`${name}.houses[${at}]`, '0 to 48', seeds);
  });
  if (!Array.isArray(stores) || stores.length !== 2) refuse(`${name}.stores`, '2 numbers', stores);
  stores.forEach((seeds, at) => {
    if (!isSeeds(seeds)) refuse(`${name}.stores[${at}]`, '0 to 48', seeds);
  });
}

/** Checks a trace. Throws a TypeError that names the field. */
export function checkTrace(name: string, trace: Trace): void {
  if (!isHouse(trace.house)) refuse(`${name}.house`, 'A..F or a..f', trace.house);
  if (!isHouse(trace.last)) refuse(`${name}.last`, 'A..F or a..f', trace.last);
  checkCounts(name, trace);
  for (const list of ['steps', 'sharing'] as const) {
    if (!Array.isArray(trace[list])) refuse(`${name}.${list}`, 'a list of steps', trace[list]);
    trace[list].forEach((step, at) => {
      if (!isHouse(step.house)) refuse(`${name}.${list}[${at}].house`, 'A..F or a..f', step.house);
    });
  }
}

/** Checks a position with its legal moves. Throws a TypeError that names the field. */
export function checkPosition(position: BoardPosition): void {
  checkCounts('position', position);
  const { to_move, legal, forbidden } = position;
  if (to_move !== 'south' && to_move !== 'north') refuse('position.to_move', 'a side', to_move);
  if (!Array.isArray(legal)) refuse('position.legal', 'a list of traces', legal);
  legal.forEach((trace, at) => checkTrace(`position.legal[${at}]`, trace));
  if (!Array.isArray(forbidden)) refuse('position.forbidden', 'a list', forbidden);
  forbidden.forEach(({ house }, at) => {
    if (!isHouse(house)) refuse(`position.forbidden[${at}].house`, 'A..F or a..f', house);
  });
}
