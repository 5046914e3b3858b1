// Names, numbers and sides of houses. The number of a house is its place in A..F, a..f.

import type { House, Side } from './types';

export const HOUSES: readonly House[] = [
  'A', 'B', 'C', 'D', 'E', 'F', 'a', 'b', 'c', 'd', 'e', 'f',
]; // prettier-ignore

export const HOUSE_COUNT = 12;
export const ROW = 6;

/** The place of a house in A..F, a..f, from 0. */
export function indexOf(house: House): number {
  return HOUSES.indexOf(house);
}

/** The house at a place from 0 to 11; any other number is taken round the board. */
export function houseAt(index: number): House {
  const at = ((index % HOUSE_COUNT) + HOUSE_COUNT) % HOUSE_COUNT;
  return HOUSES[at] as House;
}

export function sideOf(house: House): Side {
  return indexOf(house) < ROW ? 'south' : 'north';
}

export function opponentOf(side: Side): Side {
  return side === 'south' ? 'north' : 'south';
}

/** 1 to 6, from the left of the house's owner to his right. */
export function numberOf(house: House): number {
  return (indexOf(house) % ROW) + 1;
}

/** A side's house by its number from 1 to 6, counted from its owner's left. */
export function ownHouse(side: Side, number: number): House {
  return houseAt((side === 'south' ? 0 : ROW) + number - 1);
}

/** Whether a text names a house. */
export function isHouse(text: unknown): text is House {
  return typeof text === 'string' && (HOUSES as readonly string[]).includes(text);
}

/** The place of a side in pairs like stores: South first. */
export function storeIndex(side: Side): 0 | 1 {
  return side === 'south' ? 0 : 1;
}
