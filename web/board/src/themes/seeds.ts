// The seeds, drawn about the origin with a radius of about 10.4. Light comes from above on the
// left whatever way a seed lies, so bodies are turned and lights are not. A shadow is an ellipse
// of its own: filters would be repainted in every frame of a move.

import { chance } from '../slots';
import { circle, ellipse, gradient, n, path } from '../svg';
import type { SeedTheme } from './theme';

const VARIANTS = [0, 1, 2, 3, 4, 5];
const LINE = 'fill="none" stroke-linecap="round"';
const FOCUS = 'cx=".42" cy=".38" r=".68" fx=".32" fy=".26"';

function group(variant: number, inner: string): string {
  return `<g id="ow-seed-${variant}"><g transform="scale(1.08)">${inner}</g></g>`;
}

function shadow(rx: number, ry: number): string {
  return (
    ellipse(2.2, 3.4, rx + 0.8, ry + 0.4, 'fill="#000" fill-opacity=".16"') +
    ellipse(1.4, 2.2, rx, ry, 'fill="#000" fill-opacity=".3"')
  );
}

function turned(degrees: number, inner: string): string {
  return `<g transform="rotate(${n(degrees)})">${inner}</g>`;
}

/** Grey, glossy seeds of the nicker bush, with the hairlines of their shell. */
const NICKERNUTS: SeedTheme = {
  defs() {
    const tones: [string, string, string, string][] = [
      ['#eceadf', '#b9b6a8', '#838072', '#454235'],
      ['#e4e4dd', '#abaca3', '#74766c', '#3c3e36'],
      ['#dfe0d4', '#a3a594', '#6e715f', '#383b2d'],
    ];
    const paints = tones.map(([a, b, c, d], i) =>
      gradient('radial', `ow-nut-${i}`, FOCUS, [
        [0, a],
        [0.3, b],
        [0.72, c],
        [1, d],
      ]),
    );
    const nuts = VARIANTS.map((i) => {
      const turn = [20, -35, 75, -80, 50, 0][i] ?? 0;
      const rx = 9.7 - 0.5 * chance(i + 3);
      const ry = 8.6 + 0.5 * chance(i + 11);
      const line = 'fill="none" stroke="#2e302a" stroke-width=".5" stroke-opacity=".24"';
      const shell =
        ellipse(0, 0, rx, ry, `fill="url(#ow-nut-${i % 3})"`) +
        path(`M${n(-rx + 1.6)} 2.2Q0 ${n(ry - 1)} ${n(rx - 1.6)} 2.2`, line) +
        path(`M${n(-rx + 1)} -.6Q0 ${n(ry - 4.6)} ${n(rx - 1)} -.6`, line) +
        path(`M${n(-rx + 2.4)} -3.6Q0 ${n(-ry + 6)} ${n(rx - 2.4)} -3.6`, line) +
        (i % 3 === 0 ? ellipse(rx - 2.6, 0.4, 1.1, 1.7, 'fill="#35362f" fill-opacity=".6"') : '');
      const shine =
        path(
          'M4.2 6.6Q7.6 3.6 7.6 -.6',
          'fill="none" stroke="#fff" stroke-opacity=".3" stroke-width="1.1" stroke-linecap="round"',
        ) +
        `<g transform="translate(-3.1 -3.7) rotate(-38)">` +
        ellipse(0, 0, 3.1, 1.7, 'fill="#fff" fill-opacity=".62"') +
        ellipse(-0.5, -0.2, 1.6, 0.8, 'fill="#fff" fill-opacity=".85"') +
        '</g>';
      return group(i, shadow(9.3, 8.6) + turned(turn, shell) + shine);
    });
    return paints.join('') + nuts.join('');
  },
};

/** Clear glass with a band of colour in it. */
const MARBLES: SeedTheme = {
  defs() {
    const glass: [string, string, string, string][] = [
      ['#e8fbff', '#6cc7e8', '#1c6fa8', '#f9f3d2'],
      ['#fff3e0', '#f2a35e', '#a8431b', '#fff8e6'],
      ['#ecfff0', '#79cf96', '#1e7248', '#fdfdf0'],
      ['#fbeaff', '#bd8be0', '#5b2f91', '#f3ecff'],
      ['#fffde8', '#ecd25c', '#94730f', '#ffffff'],
      ['#ffeceb', '#e7736d', '#8d1f2b', '#ffe9dc'],
    ];
    return glass
      .map(([light, middle, deep, band], i) => {
        const turn = 60 * i + 25;
        const paint = gradient(
          'radial',
          `ow-glass-${i}`,
          'cx=".5" cy=".5" r=".5" fx=".64" fy=".72"',
          [
            [0, light],
            [0.42, middle],
            [0.88, deep],
            [1, deep],
          ],
        );
        const swirl =
          path(
            'M-7.6 -2.6C-3 -7 2 3.4 7.7 -1.6C3.6 6.4 -2.4 -3 -7.4 2.6Z',
            `fill="${band}" fill-opacity=".68"`,
          ) +
          path(
            'M-7.2 2.6C-2.4 -2.6 3.4 6.6 7.4 0C4 8.2 -3 .6 -6.4 4.6Z',
            `fill="${deep}" fill-opacity=".55"`,
          );
        const shine =
          path(
            'M2 7.6Q7.2 5.6 7.7 .6',
            `${LINE} stroke="#fff" stroke-opacity=".55" stroke-width="1.3"`,
          ) +
          ellipse(
            -3.2,
            -4,
            2.7,
            1.8,
            'fill="#fff" fill-opacity=".9" transform="rotate(-35 -3.2 -4)"',
          ) +
          circle(-5.6, -0.8, 0.8, 'fill="#fff" fill-opacity=".7"');
        const ball = circle(0, 0, 9.4, `fill="url(#ow-glass-${i})"`);
        return paint + group(i, shadow(9, 8.6) + ball + turned(turn, swirl) + shine);
      })
      .join('');
  },
};

/** Money cowries, most of them with the toothed mouth up. */
const COWRIES: SeedTheme = {
  defs() {
    const paints =
      gradient('radial', 'ow-shell', FOCUS, [
        [0, '#fffdf6'],
        [0.45, '#f4e8cf'],
        [0.85, '#d6bf94'],
        [1, '#9d8256'],
      ]) +
      gradient('radial', 'ow-back', FOCUS, [
        [0, '#fffaf0'],
        [0.4, '#f0dfae'],
        [0.55, '#dfb95c'],
        [0.62, '#efdcae'],
        [1, '#9a7a45'],
      ]);
    const shape =
      'M-9.6 .4C-9.4 -5.4 -4 -7.6 .8 -7.2C6 -7.2 9.8 -4 9.8 -.2' +
      'C9.8 4.2 5.8 7.2 .6 7.2C-4.6 7.4 -9.6 5 -9.6 .4Z';
    const shells = VARIANTS.map((i) => {
      const turn = [-62, -28, 38, 74, -85, 12][i] ?? 0;
      let inner = path(shape, `fill="url(#${i === 4 ? 'ow-back' : 'ow-shell'})"`);
      if (i !== 4) {
        inner += path('M-8.4 .5C-4 -1.7 4.4 -1.5 8.8 .1C4.4 1.5 -4 2.2 -8.4 .5Z', 'fill="#5a4227"');
        let teeth = '';
        for (let k = -6; k <= 6; k += 2)
          teeth += `M${k} -2.6L${n(k * 0.96)} .1M${k} 2.9L${n(k * 0.96)} .7`;
        inner += path(teeth, 'fill="none" stroke="#8d6f43" stroke-width=".7" stroke-opacity=".85"');
        inner += path(
          'M-7 -.9Q0 -2.6 7.2 -1',
          'fill="none" stroke="#fffdf4" stroke-width=".8" stroke-opacity=".8"',
        );
      }
      const shine = ellipse(
        -2.6,
        -3.9,
        2.6,
        1.1,
        'fill="#fff" fill-opacity=".75" transform="rotate(-28 -2.6 -3.9)"',
      );
      return group(i, turned(turn, turned(-turn, shadow(8.8, 8)) + inner) + shine);
    });
    return paints + shells.join('');
  },
};

/** Pebbles from a river, no two alike. */
const PEBBLES: SeedTheme = {
  defs() {
    const tones: [string, string, string][] = [
      ['#dfe3e6', '#98a1a8', '#505a62'],
      ['#efe4d3', '#bfa585', '#715a40'],
      ['#f7f5ef', '#d2cdc1', '#8d8779'],
      ['#d8bfb2', '#a06f5b', '#5a3527'],
      ['#b9c0bd', '#69746f', '#323b38'],
      ['#e9dfc8', '#a99a72', '#5c5134'],
    ];
    return tones
      .map(([light, middle, dark], i) => {
        const paint = gradient('radial', `ow-stone-${i}`, FOCUS, [
          [0, light],
          [0.55, middle],
          [1, dark],
        ]);
        const points = Array.from({ length: 8 }, (_, k) => {
          const angle = (k / 8) * 2 * Math.PI;
          const r = 7.7 + 3.2 * chance(i * 13 + k);
          return { x: Math.cos(angle) * r * 1.04, y: Math.sin(angle) * r * 0.9 };
        });
        const middleOf = (k: number) => {
          const a = points[k % 8] ?? { x: 0, y: 0 };
          const b = points[(k + 1) % 8] ?? { x: 0, y: 0 };
          return `${n((a.x + b.x) / 2)} ${n((a.y + b.y) / 2)}`;
        };
        let d = `M${middleOf(7)}`;
        points.forEach((p, k) => (d += `Q${n(p.x)} ${n(p.y)} ${middleOf(k)}`));
        let specks = '';
        for (let k = 0; k < 9; k += 1) {
          const angle = chance(i * 29 + k) * 6.3;
          const r = 6.6 * chance(i * 5 + k * 3);
          specks += `M${n(Math.cos(angle) * r)} ${n(Math.sin(angle) * r)}h0`;
        }
        const vein =
          i === 1 || i === 3
            ? path(
                'M-6.4 4.4Q-2 -3.6 7 -4.4',
                `fill="none" stroke="${light}" stroke-opacity=".5" stroke-width=".9"`,
              )
            : '';
        const stone =
          path(`${d}Z`, `fill="url(#ow-stone-${i})"`) +
          vein +
          path(specks, `${LINE} stroke="${dark}" stroke-opacity=".5" stroke-width="1"`);
        const shine = ellipse(
          -3,
          -3.6,
          3.4,
          1.7,
          'fill="#fff" fill-opacity=".32" transform="rotate(-32 -3 -3.6)"',
        );
        return paint + group(i, shadow(9, 8.3) + stone + shine);
      })
      .join('');
  },
};

/** Discs. */
const FLAT: SeedTheme = {
  defs: () =>
    VARIANTS.map((i) =>
      group(
        i,
        circle(0, 0, 8.6, 'fill="var(--ow-flat)" stroke="var(--ow-flat-edge)" stroke-width="1.8"'),
      ),
    ).join(''),
};

export const SEEDS = {
  nickernuts: NICKERNUTS,
  marbles: MARBLES,
  cowries: COWRIES,
  pebbles: PEBBLES,
  flat: FLAT,
};
