// Words: every language has every text, every text is used, and none stands in a component.

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FluentBundle, FluentResource } from '@fluent/bundle';
import { parse, type AST } from 'svelte/compiler';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const LANGUAGES = ['en', 'fr', 'ja'] as const;

function files(folder: string, endings: readonly string[]): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(join(root, path)).isDirectory()) return files(path, endings);
    return endings.some((ending) => name.endsWith(ending)) ? [path] : [];
  });
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Keys of a catalogue, attributes as `key.attribute`, each with its text as written. */
function texts(path: string): Map<string, string> {
  const found = new Map<string, string>();
  let key = '';
  let at = '';
  for (const line of read(path).split('\n')) {
    const message = /^([a-z][\w-]*)\s*=\s*(.*)$/.exec(line);
    const attribute = /^\s+\.([\w-]+)\s*=\s*(.*)$/.exec(line);
    if (message?.[1] !== undefined) {
      key = at = message[1];
      found.set(at, message[2] ?? '');
    } else if (attribute?.[1] !== undefined) {
      at = `${key}.${attribute[1]}`;
      found.set(at, attribute[2] ?? '');
    } else if (/^\s|^\}/.test(line) && at !== '') {
      found.set(at, `${found.get(at) ?? ''}\n${line}`);
    }
  }
  return found;
}

function catalogues(language: string): string[] {
  return readdirSync(join(root, 'locales', language)).sort();
}

function variables(text: string): string[] {
  const names = [...text.matchAll(/\$([a-zA-Z]\w*)/g)].map((match) => match[1] ?? '');
  return [...new Set(names)].sort();
}

const english = new Map(
  catalogues('en').flatMap((name) => [...texts(join('locales', 'en', name))]),
);
const sources = [...files('src', ['.svelte', '.ts'])]
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => [path, read(path)] as const);

describe('catalogues', () => {
  it.each(['fr', 'ja'])('%s has the same files, texts and variables as English', (language) => {
    expect(catalogues(language)).toEqual(catalogues('en'));
    for (const name of catalogues('en')) {
      const ours = texts(join('locales', language, name));
      const theirs = texts(join('locales', 'en', name));
      expect([...ours.keys()].sort(), name).toEqual([...theirs.keys()].sort());
      for (const [key, text] of ours) {
        // A language may leave out what it has no use for, but names nothing that is not given.
        const known = variables(theirs.get(key) ?? '');
        const unknown = variables(text).filter((variable) => !known.includes(variable));
        expect(unknown, `${language}/${name}: ${key}`).toEqual([]);
      }
    }
  });

  it.each(LANGUAGES)('%s can be read and written without a fault', (language) => {
    for (const name of catalogues(language)) {
      const bundle = new FluentBundle(language, { useIsolating: false });
      const path = join('locales', language, name);
      expect(bundle.addResource(new FluentResource(read(path))), path).toEqual([]);
      for (const [key, text] of texts(path)) {
        const [id, attribute] = key.split('.', 2);
        const message = bundle.getMessage(id ?? '');
        const pattern = attribute ? message?.attributes[attribute] : message?.value;
        expect(pattern, `${path}: ${key}`).toBeTruthy();
        if (!pattern) continue;
        const args = Object.fromEntries(variables(text).map((variable) => [variable, 3]));
        const errors: Error[] = [];
        bundle.formatPattern(pattern, args, errors);
        expect(errors, `${path}: ${key}`).toEqual([]);
      }
    }
  });

  it('no text stands in two catalogues', () => {
    const seen = new Map<string, string>();
    for (const name of catalogues('en')) {
      for (const key of texts(join('locales', 'en', name)).keys()) {
        if (key.includes('.')) continue;
        expect(seen.get(key), key).toBeUndefined();
        seen.set(key, name);
      }
    }
  });
});

/** Everything that looks like a key in quotes, and what begins like one in a template. */
function mentioned(source: string): { whole: Set<string>; patterns: RegExp[] } {
  const whole = new Set<string>();
  const patterns: RegExp[] = [];
  for (const [, text] of source.matchAll(/['"]([a-z][\w-]*(?:\.[a-z]+)?)['"]/g)) {
    if (text !== undefined) whole.add(text);
  }
  for (const [, text] of source.matchAll(/`([^`\n]*\$\{[^`]*)`/g)) {
    const shape = (text ?? '').replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '\u0000');
    // Enough of a beginning to tell one family of texts from another.
    if (!/^[a-z][a-z-]+-\u0000/.test(shape) || /[^\w\u0000.-]/.test(shape)) continue;
    patterns.push(new RegExp(`^${shape.replaceAll('.', '\\.').replaceAll('\u0000', '[\\w-]*')}$`));
  }
  return { whole, patterns };
}

describe('texts that are used', () => {
  const all = mentioned(sources.map(([, source]) => source).join('\n'));

  it('every text that is asked for by name is there', () => {
    for (const [path, source] of sources) {
      for (const [, key] of source.matchAll(/\bt\(\s*'([^']+)'/g)) {
        expect(english.has(key ?? ''), `${path}: ${key}`).toBe(true);
      }
    }
  });

  it('every text is asked for somewhere', () => {
    const unused = [...english.keys()].filter((key) => {
      const [id] = key.split('.', 1);
      const used = all.whole.has(key) || all.patterns.some((pattern) => pattern.test(key));
      // A message with attributes may be there for their sake alone.
      return !used && !(id === key && [...english.keys()].some((one) => one.startsWith(`${key}.`)));
    });
    expect(unused).toEqual([]);
  });
});

/** Words in a component's markup that no catalogue has: letters in texts and spoken attributes. */
function hardCoded(path: string): string[] {
  const found: string[] = [];
  const SPOKEN = ['aria-label', 'title', 'alt', 'placeholder'];
  const isWord = (text: string): boolean => /\p{L}{2,}/u.test(text);
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (typeof node !== 'object' || node === null) return;
    const typed = node as { type?: string; data?: string; name?: string; value?: unknown };
    if (typed.type === 'Text' && isWord(typed.data ?? '')) found.push(typed.data?.trim() ?? '');
    if (typed.type === 'Attribute') {
      if (!SPOKEN.includes(typed.name ?? '')) return;
      visit(typed.value);
      return;
    }
    for (const [key, value] of Object.entries(node)) {
      if (key !== 'expression' || !Array.isArray(value)) visit(value);
    }
  };
  const tree: AST.Root = parse(read(path), { modern: true });
  visit(tree.fragment);
  return found;
}

it('no words stand in components', () => {
  const found = files('src', ['.svelte']).flatMap((path) =>
    hardCoded(path).map((text) => `${path}: ${text}`),
  );
  expect(found).toEqual([]);
});

it('finds words in components', () => {
  expect(hardCoded('test/hard-coded.svelte')).toEqual(['Some words', 'a spoken name']);
});
