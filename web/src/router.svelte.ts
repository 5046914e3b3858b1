// Addresses and pages. Addresses are real paths (History API); the server answers all of them
// with the same document.

/** A page by the name of its folder in `pages`, and what its address holds. */
export interface Route {
  page: string;
  params: Record<string, string>;
}

/** Patterns in order; `:name` stands for one part of the path. */
const ROUTES: readonly [pattern: string, page: string][] = [
  ['/', 'computer'],
  ['/friend', 'friend'],
  ['/lobby', 'lobby'],
  ['/game/:id', 'game'],
  ['/correspondence', 'correspondence'],
  ['/analysis', 'analysis'],
  ['/learn', 'learn'],
  ['/learn/:topic', 'learn'],
  ['/puzzles', 'puzzles'],
  ['/puzzles/:id', 'puzzles'],
  ['/player/:name', 'player'],
  ['/leaders', 'leaders'],
  ['/settings', 'settings'],
  ['/about', 'about'],
  ['/sign-in', 'sign-in'],
  ['/admin', 'admin'],
];

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function match(pattern: string, parts: readonly string[]): Record<string, string> | null {
  const wanted = pattern.split('/').filter((part) => part !== '');
  if (wanted.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = decode(parts[index] ?? '');
    if (value === null) return null;
    if (part.startsWith(':')) params[part.slice(1)] = value;
    else if (part !== value) return null;
  }
  return params;
}

/** The page of a path; `missing` where there is none. */
export function resolve(path: string): Route {
  const parts = path.split('/').filter((part) => part !== '');
  for (const [pattern, page] of ROUTES) {
    const params = match(pattern, parts);
    if (params) return { page, params };
  }
  return { page: 'missing', params: {} };
}

let current = $state.raw<Route>(resolve(location.pathname));
let query = $state.raw(location.search);

/** Where we are. */
export function route(): Route {
  return current;
}

/** What follows the `?` of the address. */
export function search(): URLSearchParams {
  return new URLSearchParams(query);
}

function arrive(): void {
  current = resolve(location.pathname);
  query = location.search;
}

/** Goes to an address of ours; `replace` leaves no step to go back to. */
export function go(path: string, options: { replace?: boolean } = {}): void {
  if (options.replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  arrive();
  if (!options.replace) scrollTo(0, 0);
}

/** Follows links to our own pages without loading the document again. Call once. */
export function listen(): void {
  addEventListener('popstate', arrive);
  document.addEventListener('click', (event) => {
    // Links that shall open elsewhere, and clicks somebody else has dealt with, are left alone.
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link || link.target || link.hasAttribute('download')) return;
    if (link.origin !== location.origin || link.pathname.startsWith('/api/')) return;
    if (link.hash && link.pathname === location.pathname && link.search === location.search) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
