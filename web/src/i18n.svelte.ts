// The words of the pages, from Fluent catalogues in `locales/LANGUAGE/NAME.ftl`. A page names the
// catalogues it needs and is drawn once they are there, so `t` never has to wait.

import { FluentBundle, FluentResource, type FluentVariable } from '@fluent/bundle';

/** Languages there are catalogues of, each by its own name for itself. */
export const LANGUAGES = { en: 'English', fr: 'Français', ja: '日本語' } as const;
export type Language = keyof typeof LANGUAGES;

const catalogues = import.meta.glob<string>('../locales/*/*.ftl', {
  query: '?raw',
  import: 'default',
});

let bundles = $state.raw<{ language: Language; bundle: FluentBundle }>({
  language: 'en',
  bundle: new FluentBundle('en', { useIsolating: false }),
});
let loaded = new Set<string>();
const wanted = new Set<string>();

export function isLanguage(value: unknown): value is Language {
  return typeof value === 'string' && Object.hasOwn(LANGUAGES, value);
}

/** The first of the reader's languages that we have, else English. */
export function preferred(languages: readonly string[]): Language {
  for (const language of languages) {
    const short = language.toLowerCase().split('-')[0];
    if (isLanguage(short)) return short;
  }
  return 'en';
}

async function read(language: Language, name: string): Promise<FluentResource | null> {
  const load = catalogues[`../locales/${language}/${name}.ftl`];
  return load ? new FluentResource(await load()) : null;
}

/** Makes catalogues ready in the language that is set. */
export async function need(...names: string[]): Promise<void> {
  for (const name of names) wanted.add(name);
  const { language, bundle } = bundles;
  const missing = names.filter((name) => !loaded.has(name));
  if (missing.length === 0) return;
  const resources = await Promise.all(missing.map((name) => read(language, name)));
  // The language may have been changed meanwhile; then `speak` has loaded these, too.
  if (bundles.language !== language) return;
  for (const resource of resources) if (resource) bundle.addResource(resource);
  for (const name of missing) loaded.add(name);
  // A new object, so that what is on the page already is written again.
  bundles = { language, bundle };
}

/** Changes the language, with all catalogues asked for so far. */
export async function speak(language: Language): Promise<void> {
  const bundle = new FluentBundle(language, { useIsolating: false });
  const names = [...wanted];
  const resources = await Promise.all(names.map((name) => read(language, name)));
  for (const resource of resources) if (resource) bundle.addResource(resource);
  loaded = new Set(names);
  bundles = { language, bundle };
  document.documentElement.lang = language;
}

/** The language that is spoken. */
export function language(): Language {
  return bundles.language;
}

/** A text by its key, or by `key.attribute`; the key itself where there is none. */
export function t(key: string, args?: Record<string, FluentVariable>): string {
  const { bundle } = bundles;
  const [id, attribute] = key.split('.', 2);
  const message = bundle.getMessage(id ?? key);
  const pattern = attribute ? message?.attributes[attribute] : message?.value;
  if (pattern === null || pattern === undefined) return key;
  return bundle.formatPattern(pattern, args ?? null, []);
}

/** Whether there is a text for a key; for names that come from outside. */
export function has(key: string): boolean {
  return bundles.bundle.hasMessage(key);
}
