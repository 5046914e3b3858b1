// A position that is being put together: twelve houses, two stores, and who moves.

import { START } from './tree';

export interface Draft {
  houses: number[];
  stores: [number, number];
  mover: 'south' | 'north';
}

export const SEEDS = 48;

/** From our notation: twelve houses, two stores, the turn. The usual start from anything else. */
export function readDraft(position: string): Draft {
  const parts = position.split('-');
  const numbers = parts.slice(0, 14).map(Number);
  const turn = parts[14];
  const sound =
    parts.length === 15 &&
    numbers.every((seeds) => Number.isInteger(seeds) && seeds >= 0 && seeds <= SEEDS) &&
    (turn === 'S' || turn === 'N');
  if (!sound) return readDraft(START);
  return {
    houses: numbers.slice(0, 12),
    stores: [numbers[12] ?? 0, numbers[13] ?? 0],
    mover: turn === 'S' ? 'south' : 'north',
  };
}

export function writeDraft(draft: Draft): string {
  return [...draft.houses, ...draft.stores, draft.mover === 'south' ? 'S' : 'N'].join('-');
}

export function total(draft: Draft): number {
  return [...draft.houses, ...draft.stores].reduce((sum, seeds) => sum + seeds, 0);
}

/** A number from a field: none and nonsense count as 0. */
export function count(text: string): number {
  const seeds = Math.trunc(Number(text));
  return Number.isFinite(seeds) ? Math.min(SEEDS, Math.max(0, seeds)) : 0;
}

/** Shares the seeds that are missing between the stores, so that there are 48; what is too much
 * is taken out of the stores. */
export function fillStores(draft: Draft): Draft {
  const inHouses = draft.houses.reduce((sum, seeds) => sum + seeds, 0);
  const wanted = Math.max(0, SEEDS - inHouses);
  const lead = draft.stores[0] - draft.stores[1];
  const south = Math.min(wanted, Math.max(0, Math.floor((wanted + lead + 1) / 2)));
  return { ...draft, stores: [south, wanted - south] };
}
