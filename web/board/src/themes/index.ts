// The boards by name.

import type { ThemeName } from '../types';
import { GROUND } from './ground';
import { PLAIN } from './plain';
import type { BoardTheme } from './theme';
import { FOLDING, WOOD } from './wood';

export const BOARDS: Record<ThemeName, BoardTheme> = {
  wood: WOOD,
  'wood-dark': WOOD,
  folding: FOLDING,
  ground: GROUND,
  contrast: PLAIN,
  numbers: PLAIN,
};

export { SEEDS } from './seeds';
