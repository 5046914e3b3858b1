// What a person chose here, kept in the browser. Unknown or broken values become the defaults, so
// that settings of an older or newer release do no harm.

import { isLanguage, type Language } from './i18n.svelte';

export const CHOICES = {
  scheme: ['system', 'light', 'dark'],
  theme: ['wood', 'wood-dark', 'folding', 'ground', 'contrast', 'numbers'],
  seeds: ['nickernuts', 'marbles', 'cowries', 'pebbles', 'flat'],
  counts: ['always', 'request', 'above', 'never'],
  speed: ['off', 'fast', 'normal', 'slow', 'teaching'],
  layout: ['auto', 'horizontal', 'vertical'],
  input: ['click', 'confirm'],
} as const;

export type Choice = keyof typeof CHOICES;
export type Settings = { -readonly [K in Choice]: (typeof CHOICES)[K][number] } & {
  language: Language | null;
  countsAbove: number;
  preview: boolean;
  sound: boolean;
  volume: number;
  /** A confirm step in games by days, whatever `input` says. */
  confirmDays: boolean;
  facing: boolean;
};

const KEY = 'oware.settings';

export const DEFAULTS: Settings = {
  language: null,
  scheme: 'system',
  theme: 'wood',
  seeds: 'nickernuts',
  counts: 'always',
  countsAbove: 6,
  speed: 'normal',
  layout: 'auto',
  input: 'click',
  preview: true,
  sound: false,
  volume: 0.6,
  confirmDays: true,
  facing: false,
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Settings from whatever was stored. */
export function readSettings(stored: string | null): Settings {
  let given: unknown;
  try {
    given = JSON.parse(stored ?? '{}');
  } catch {
    given = {};
  }
  const settings: Settings = { ...DEFAULTS };
  if (!isObject(given)) return settings;
  for (const key of Object.keys(CHOICES) as Choice[]) {
    const value = given[key];
    const known: readonly string[] = CHOICES[key];
    if (typeof value === 'string' && known.includes(value)) {
      Object.assign(settings, { [key]: value });
    }
  }
  for (const key of ['preview', 'sound', 'confirmDays', 'facing'] as const) {
    if (typeof given[key] === 'boolean') settings[key] = given[key];
  }
  const { countsAbove, volume, language } = given;
  if (typeof countsAbove === 'number' && countsAbove >= 1 && countsAbove <= 20) {
    settings.countsAbove = Math.round(countsAbove);
  }
  if (typeof volume === 'number' && volume >= 0 && volume <= 1) settings.volume = volume;
  if (isLanguage(language)) settings.language = language;
  return settings;
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

let settings = $state.raw<Settings>(readSettings(stored()));

export function current(): Settings {
  return settings;
}

function show(): void {
  const root = document.documentElement;
  if (settings.scheme === 'system') delete root.dataset['scheme'];
  else root.dataset['scheme'] = settings.scheme;
}

/** Changes some settings, keeps them, and shows what the whole page shows. */
export function change(some: Partial<Settings>): void {
  settings = { ...settings, ...some };
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // Without storage they hold until the page is left.
  }
  show();
}

/** Another tab changed them. Call once. */
export function listen(): void {
  show();
  addEventListener('storage', (event) => {
    if (event.key !== KEY) return;
    settings = readSettings(event.newValue);
    show();
  });
}
