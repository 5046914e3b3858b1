// Small boards for lists.

import { expect, test } from 'vitest';
import '../index';
import { line } from './sow';

test('a small board is one picture with a name, and all its seeds are one path', () => {
  const mini = document.createElement('oware-mini');
  document.body.replaceChildren(mini);
  const { trace, after } = line('EaDfAaBcDbBf');
  mini.show(after, { last: trace, viewpoint: 'north' });
  const picture = mini.shadowRoot?.querySelector('svg') as SVGSVGElement;
  expect(picture.getAttribute('role')).toBe('img');
  expect(picture.getAttribute('aria-label')).toBe(
    `Board, you ${after.stores[1]}, opponent ${after.stores[0]}`,
  );
  const seeds = after.houses.reduce((sum, n) => sum + n, 0);
  const dots = picture.querySelector('.mini-seeds')?.getAttribute('d') ?? '';
  expect(dots.match(/h0/g)).toHaveLength(seeds);
  expect(picture.querySelectorAll('.mini-ring')).toHaveLength(2);
  expect(picture.querySelectorAll('*').length).toBeLessThan(25);
  expect(picture.querySelectorAll('[tabindex], [role="gridcell"]')).toHaveLength(0);
});

test('it can show digits, and refuses what is no board', () => {
  const mini = document.createElement('oware-mini');
  const { after } = line('EaDf');
  mini.show(after, { numbers: true });
  const texts = [...(mini.shadowRoot?.querySelectorAll('text') ?? [])].map((t) => t.textContent);
  expect(texts.slice(0, 12)).toEqual(after.houses.map(String));
  expect(() => mini.show({ houses: [1], stores: [0, 0] })).toThrow(/position\.houses/);
});
