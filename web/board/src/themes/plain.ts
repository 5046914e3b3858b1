// Boards without a picture: plain with high contrast, and numbers only.

import type { Geometry } from '../geometry';
import { circle, roundRect } from '../svg';
import type { BoardTheme } from './theme';
import { outline } from './theme';

function body(geometry: Geometry): string {
  const face = outline(geometry, { inset: 4, radius: 24 });
  const line = 'stroke="var(--ow-line)" stroke-width="2.5"';
  const { width, height, layout } = geometry;
  const parts = [
    roundRect(face, 24, -1, `fill="var(--ow-plain)" ${line}`),
    layout === 'vertical'
      ? `<path d="M${width / 2} 24V${height - 24}" ${line} stroke-dasharray="2 8"/>`
      : `<path d="M${width / 2 - 318} ${height / 2}h636" ${line} stroke-dasharray="2 8"/>`,
    ...geometry.houses.map((house) => circle(house.x, house.y, house.r, `class="hole" ${line}`)),
    ...geometry.stores.map(({ rect }) => {
      return roundRect(rect, Math.min(rect.width, rect.height) / 2, 0, `class="hole" ${line}`);
    }),
  ];
  return parts.join('');
}

export const PLAIN: BoardTheme = { front: false, defs: () => '', body };
