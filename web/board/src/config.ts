// What a host can set. A part may be set at any time; a bad part changes nothing.

import { ENGLISH } from './labels';
import type { BoardLabels } from './labels';
import { isHouse } from './houses';
import type {
  CountsMode,
  LayoutName,
  Mark,
  MarkKind,
  SeedName,
  Side,
  SpeedName,
  ThemeName,
} from './types';

export interface BoardConfig {
  /** Whose row is below (or on the right); null shows South's and calls nobody "you". */
  viewpoint: Side | null;
  /** Whose houses the person at this screen may play, when it is their turn. */
  playable: 'south' | 'north' | 'both' | 'none';
  layout: 'auto' | LayoutName;
  /** Two people across a table: the texts of the far side are turned by 180 degrees. */
  facing: boolean;
  theme: ThemeName;
  seeds: SeedName;
  counts: CountsMode;
  /** With `counts: 'above'`: numbers are shown from one more than this on, 0 to 48. */
  countsAbove: number;
  /** Letters of the houses on the board. */
  names: 'letters' | 'numbers' | 'none';
  speed: SpeedName;
  preview: boolean;
  input: 'click' | 'confirm';
  /** Whether the plain letters a-f play houses; if not, b and e ask like the other keys. */
  letterKeys: boolean;
  /** Whether a finger on the board may move the page. */
  lockScroll: boolean;
  sound: boolean;
  /** 0 to 1. */
  volume: number;
  labels: BoardLabels;
  marks: Mark[];
}

export const DEFAULTS: Readonly<BoardConfig> = {
  viewpoint: 'south',
  playable: 'none',
  layout: 'auto',
  facing: false,
  theme: 'wood',
  seeds: 'nickernuts',
  counts: 'always',
  countsAbove: 6,
  names: 'letters',
  speed: 'normal',
  preview: true,
  input: 'click',
  letterKeys: true,
  lockScroll: false,
  sound: false,
  volume: 0.6,
  labels: ENGLISH,
  marks: [],
};

const KINDS: readonly MarkKind[] = ['hint', 'good', 'bad', 'look', 'arrow'];

const CHOICES = {
  viewpoint: ['south', 'north', null],
  playable: ['south', 'north', 'both', 'none'],
  layout: ['auto', 'horizontal', 'vertical'],
  theme: ['wood', 'wood-dark', 'folding', 'ground', 'contrast', 'numbers'],
  seeds: ['nickernuts', 'marbles', 'cowries', 'pebbles', 'flat'],
  counts: ['always', 'request', 'above', 'never'],
  names: ['letters', 'numbers', 'none'],
  speed: ['off', 'fast', 'normal', 'slow', 'teaching'],
  input: ['click', 'confirm'],
} as const satisfies Partial<Record<keyof BoardConfig, readonly unknown[]>>;

const FLAGS = ['facing', 'preview', 'letterKeys', 'lockScroll', 'sound'] as const;

function refuse(field: string, expected: string, got: unknown): never {
  throw new TypeError(`config.${field}: expected ${expected}, got ${JSON.stringify(got)}`);
}

function checkMarks(marks: unknown): void {
  if (!Array.isArray(marks)) refuse('marks', 'a list', marks);
  (marks as Partial<Mark>[]).forEach((mark, at) => {
    if (!isHouse(mark.house)) refuse(`marks[${at}].house`, 'A..F or a..f', mark.house);
    const kind = mark.kind;
    if (!kind || !KINDS.includes(kind)) refuse(`marks[${at}].kind`, KINDS.join(', '), kind);
    if (kind === 'arrow' && !isHouse(mark.to)) refuse(`marks[${at}].to`, 'A..F or a..f', mark.to);
  });
}

/** Lays a part over a configuration. Throws a TypeError that names the bad field. */
export function mergeConfig(old: BoardConfig, partial: Partial<BoardConfig>): BoardConfig {
  const merged: BoardConfig = { ...old };
  for (const [key, value] of Object.entries(partial)) {
    if (!(key in DEFAULTS)) refuse(key, 'no such field', value);
    if (value !== undefined) Object.assign(merged, { [key]: value });
  }
  for (const [key, choices] of Object.entries(CHOICES)) {
    const value = merged[key as keyof typeof CHOICES];
    const found = (choices as readonly unknown[]).includes(value);
    if (!found) refuse(key, choices.map(String).join(', '), value);
  }
  for (const key of FLAGS) {
    if (typeof merged[key] !== 'boolean') refuse(key, 'true or false', merged[key]);
  }
  if (!(merged.volume >= 0 && merged.volume <= 1)) refuse('volume', '0 to 1', merged.volume);
  const above = merged.countsAbove;
  if (!Number.isInteger(above) || above < 0 || above > 48) refuse('countsAbove', '0 to 48', above);
  if (typeof merged.labels !== 'object' || merged.labels === null) {
    refuse('labels', 'an object', merged.labels);
  }
  // A host may translate a part of the words; the rest stays English rather than missing.
  merged.labels = { ...ENGLISH, ...merged.labels };
  checkMarks(merged.marks);
  return merged;
}

/** The board drawn: one of numbers only would undo what hiding the counts is for. */
export function drawnTheme(config: BoardConfig): ThemeName {
  return config.theme === 'numbers' && config.counts !== 'always' ? 'contrast' : config.theme;
}

/** Whether a house with so many seeds shows its number unasked. */
export function showsCount(config: BoardConfig, seeds: number): boolean {
  return config.counts === 'always' || (config.counts === 'above' && seeds > config.countsAbove);
}
