// Every package of npm is explained in docs/DEPENDENCIES.md, and none that is gone.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const web = join(import.meta.dirname, '..');

it('every package is explained, and pinned to one version', () => {
  const manifest = JSON.parse(readFileSync(join(web, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
  };
  const used = { ...manifest.dependencies, ...manifest.devDependencies };
  const document = readFileSync(join(web, '..', 'docs', 'DEPENDENCIES.md'), 'utf8');
  const section = document.split('## In the pages')[1] ?? '';
  const rows = [...section.matchAll(/^\| ([@\w/-]+) \|/gm)].map((match) => match[1]);
  expect(rows.slice(1)).toEqual(Object.keys(used).sort());
  for (const [name, version] of Object.entries(used)) {
    expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
  }
});

it('the lock file names no host of a registry', () => {
  const lock = readFileSync(join(web, 'package-lock.json'), 'utf8');
  expect(lock).not.toContain('"resolved"');
});
