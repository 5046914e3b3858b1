// @vitest-environment node
// What the board costs a page: under 20 KB with one board and one kind of seed.

import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import type { Plugin, Rolldown } from 'vite';
import { expect, test } from 'vitest';

const input = fileURLToPath(new URL('../index.ts', import.meta.url));

/** Leaves out all boards but the wooden one and all seeds but nickernuts. */
const ONE: Plugin = {
  name: 'one-theme',
  enforce: 'pre',
  transform(code, id) {
    if (id.endsWith('themes/index.ts')) {
      return (
        "import { WOOD } from './wood'; export const BOARDS = { wood: WOOD };" +
        "export { SEEDS } from './seeds';"
      );
    }
    if (id.endsWith('themes/seeds.ts')) {
      const cut = code.indexOf('export const SEEDS');
      return `${code.slice(0, cut)}export const SEEDS = { nickernuts: NICKERNUTS };`;
    }
    return null;
  },
};

async function bytes(plugins: Plugin[]): Promise<number> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    plugins,
    build: { write: false, target: 'es2022', rolldownOptions: { input } },
  });
  const { output } = result as Rolldown.RolldownOutput;
  const whole = output.map((part) => (part.type === 'chunk' ? part.code : part.source));
  return gzipSync(whole.join('')).length;
}

test('with one theme, and with all', async () => {
  const one = await bytes([ONE]);
  const all = await bytes([]);
  expect(one).toBeGreaterThan(5_000);
  expect(one).toBeLessThan(20_480);
  expect(all).toBeGreaterThan(one);
  expect(all).toBeLessThan(24_000);
}, 60_000);
