// What was chosen for games against the computer, and the game that is going on; kept in the
// browser.

import type { SeatWish } from '../../api/types';

export interface Setup {
  level: number;
  rules: string;
  seat: SeatWish;
}

const KEY = 'oware.computer';
const GAME = 'oware.computer.game';
const DEFAULT: Setup = { level: 4, rules: 'abapa', seat: 'south' };

/** The choices made last time; whatever cannot be read becomes the default. */
export function readSetup(storage: Storage): Setup {
  try {
    const value: unknown = JSON.parse(storage.getItem(KEY) ?? '{}');
    if (typeof value !== 'object' || value === null) return { ...DEFAULT };
    const { level, rules, seat } = value as Record<string, unknown>;
    return {
      level:
        typeof level === 'number' && Number.isInteger(level) && level >= 1 && level <= 12
          ? level
          : DEFAULT.level,
      rules: typeof rules === 'string' && /^[a-z-]{1,40}$/.test(rules) ? rules : DEFAULT.rules,
      seat: seat === 'north' || seat === 'random' ? seat : DEFAULT.seat,
    };
  } catch {
    return { ...DEFAULT };
  }
}

export function keepSetup(storage: Storage, setup: Setup): void {
  try {
    storage.setItem(KEY, JSON.stringify(setup));
  } catch {
    return;
  }
}

/** The game that is going on here, if one is. */
export function readGame(storage: Storage): string | null {
  try {
    return storage.getItem(GAME);
  } catch {
    return null;
  }
}

export function keepGame(storage: Storage, id: string | null): void {
  try {
    if (id === null) storage.removeItem(GAME);
    else storage.setItem(GAME, id);
  } catch {
    return;
  }
}
