// Addresses, settings, and the small things that pages keep.

import { describe, expect, it } from 'vitest';
import { preferred } from '../src/i18n.svelte';
import { keepGame, keepSetup, readGame, readSetup } from '../src/pages/computer/setup';
import { resolve } from '../src/router.svelte';
import { change, current, DEFAULTS, readSettings } from '../src/settings.svelte';

describe('addresses', () => {
  it.each([
    ['/', 'computer', {}],
    ['/friend', 'friend', {}],
    ['/friend/', 'friend', {}],
    ['/game/ab12CD34', 'game', { id: 'ab12CD34' }],
    ['/player/Ama', 'player', { name: 'Ama' }],
    ['/player/%C3%A9', 'player', { name: 'é' }],
    ['/learn/rules', 'learn', { topic: 'rules' }],
    ['/sign-in', 'sign-in', {}],
    ['/nowhere', 'missing', {}],
    ['/game', 'missing', {}],
    ['/game/a/b', 'missing', {}],
    ['/player/%E0%A4%A', 'missing', {}],
  ])('%s is the page %s', (path, page, params) => {
    expect(resolve(path)).toEqual({ page, params });
  });
});

describe('settings', () => {
  it('that were stored are read, and what is not known becomes the usual', () => {
    const stored = { theme: 'ground', seeds: 'gold', countsAbove: 9, volume: 7, sound: true };
    expect(readSettings(JSON.stringify(stored))).toEqual({
      ...DEFAULTS,
      theme: 'ground',
      countsAbove: 9,
      sound: true,
    });
    for (const text of [null, '', '{', '[]', '3', '"x"', 'null']) {
      expect(readSettings(text)).toEqual(DEFAULTS);
    }
    expect(readSettings('{"language":"fr"}').language).toBe('fr');
    expect(readSettings('{"language":"xx"}').language).toBeNull();
  });

  it('are kept, and the scheme is shown', () => {
    change({ scheme: 'dark', theme: 'folding' });
    expect(document.documentElement.dataset['scheme']).toBe('dark');
    expect(readSettings(localStorage.getItem('oware.settings'))).toEqual(current());
    change({ ...DEFAULTS });
    expect(document.documentElement.dataset['scheme']).toBeUndefined();
  });
});

describe('the language', () => {
  it.each([
    [['fr-CA', 'en'], 'fr'],
    [['pt', 'ja-JP'], 'ja'],
    [['pt', 'de'], 'en'],
    [[], 'en'],
  ])('for %j is %s', (languages, language) => {
    expect(preferred(languages)).toBe(language);
  });
});

describe('the computer page', () => {
  it('keeps what was chosen and what goes on', () => {
    expect(readSetup(localStorage)).toEqual({ level: 4, rules: 'abapa', seat: 'south' });
    const chosen = { level: 9, rules: 'awari', seat: 'random' as const };
    keepSetup(localStorage, chosen);
    expect(readSetup(localStorage)).toEqual(chosen);
    for (const text of ['{', '7', '{"level":99,"rules":7,"seat":"west"}']) {
      localStorage.setItem('oware.computer', text);
      expect(readSetup(localStorage)).toEqual({ level: 4, rules: 'abapa', seat: 'south' });
    }
    keepGame(localStorage, 'ab12CD34');
    expect(readGame(localStorage)).toBe('ab12CD34');
    keepGame(localStorage, null);
    expect(readGame(localStorage)).toBeNull();
  });
});
