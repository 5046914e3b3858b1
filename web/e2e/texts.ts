// What a page says, compared with the catalogues: no key in place of a text, no hole in a text,
// no sentence left in English.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FluentResource } from '@fluent/bundle';
import type { Page } from 'playwright-core';

const LOCALES = join(import.meta.dirname, '..', 'locales');

/** Texts by their keys; null where a text has parts that are filled in. */
export function read(language: string): Map<string, string | null> {
  const texts = new Map<string, string | null>();
  for (const file of readdirSync(join(LOCALES, language))) {
    const source = readFileSync(join(LOCALES, language, file), 'utf8');
    for (const { id, value, attributes } of new FluentResource(source).body) {
      texts.set(id, typeof value === 'string' ? value : null);
      for (const [name, text] of Object.entries(attributes)) {
        texts.set(`${id}.${name}`, typeof text === 'string' ? text : null);
      }
    }
  }
  return texts;
}

const english = read('en');

/** Names that are written so in every language, where they are told as names. */
const NAMES = new Set(['Oware', 'Abapa', 'Awari']);

/** English texts that are others in a language. */
function foreign(language: string): Set<string> {
  const own = read(language);
  const words = new Set([...own.values()]);
  const texts = [...english].filter(([key, text]) => text !== null && own.get(key) !== text);
  return new Set(texts.map(([, text]) => text ?? '').filter((text) => !words.has(text)));
}

/** All that a page says, in its shadow trees too: texts, names and descriptions. */
export function said(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [document.title];
    const walk = (node: Node): void => {
      if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent ?? '');
      if (node instanceof Element) {
        for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']) {
          const value = node.getAttribute(name);
          if (value !== null) found.push(value);
        }
        if (node.shadowRoot) walk(node.shadowRoot);
      }
      if (node instanceof HTMLScriptElement || node instanceof HTMLStyleElement) return;
      node.childNodes.forEach(walk);
    };
    walk(document.body);
    return [...new Set(found.map((text) => text.replace(/\s+/g, ' ').trim()))];
  });
}

/** What is wrong with what a page says. */
export function missing(texts: readonly string[], language: string): string[] {
  const left = language === 'en' ? new Set<string>() : foreign(language);
  return texts.flatMap((text) => {
    const faults = [];
    const keys = text.match(/[a-z]+(?:[-_.][a-z0-9]+)+/g) ?? [];
    for (const key of keys) if (english.has(key)) faults.push(`a key: ${text}`);
    if (/\{\s*\$|undefined|NaN|\[object/.test(text)) faults.push(`a hole: ${text}`);
    if (left.has(text) && !NAMES.has(text)) faults.push(`in English: ${text}`);
    return faults;
  });
}
