// A page to look at the boards: `?all` shows every board and every seed, `?mini` the small ones,
// without either one board is played by two people. Any field of the configuration can be given
// in the address, such as `?theme=ground&seeds=cowries&layout=vertical`; `line` plays moves first.

import type { BoardConfig, BoardPosition, SeedName, ThemeName, Trace } from './index';
import './index';
import { after, legal, line, position, start } from './test/sow';

const THEMES: ThemeName[] = ['wood', 'wood-dark', 'folding', 'ground', 'contrast', 'numbers'];
const SEEDS: SeedName[] = ['nickernuts', 'marbles', 'cowries', 'pebbles', 'flat'];
/** A game of chance moves, recorded once, that has captures and a house of many seeds. */
const RECORDED = 'EaDfAaBcDbBfCdDfFdDeFbDcAfDaEfFaCdBfDcEbFaBf';

const query = new URLSearchParams(location.search);
const main = document.querySelector('main') as HTMLElement;
if (query.has('dark')) document.documentElement.dataset.dark = '';
if (query.has('light')) document.documentElement.dataset.light = '';

function played(): { at: BoardPosition; last?: Trace } {
  if (query.has('houses')) {
    const houses = (query.get('houses') ?? '').split('-').map(Number);
    const stores = houses.splice(12, 2) as [number, number];
    return { at: position(houses, stores, query.get('side') === 'north' ? 'north' : 'south') };
  }
  const moves = query.get('line') ?? '';
  if (!moves) return { at: start() };
  const { trace, after: at } = line(moves);
  return { at, last: trace };
}

function fromQuery(): Partial<BoardConfig> {
  const config: Record<string, unknown> = {};
  for (const [key, value] of query) {
    if (
      ['all', 'mini', 'line', 'houses', 'side', 'dark', 'light', 'height', 'dpr', 'clip'].includes(
        key,
      )
    )
      continue;
    const known: Record<string, unknown> = { true: true, false: false, null: null };
    const number = value !== '' && !Number.isNaN(Number(value));
    config[key] = value in known ? known[value] : number ? Number(value) : value;
  }
  return config as Partial<BoardConfig>;
}

function one(): void {
  const board = document.createElement('oware-board');
  main.append(board);
  if (query.has('height')) board.style.maxHeight = `${query.get('height')}px`;
  board.config({ playable: 'both', ...fromQuery() });
  let { at } = played();
  board.position(at, played().last);
  board.addEventListener('oware-move', (event) => {
    const { house } = event.detail;
    const trace = legal(at, house);
    at = after(trace);
    void board.play(trace, at);
  });
  Object.assign(window, { board, tools: { after, legal, line, position, start } });
}

function all(): void {
  main.className = 'all';
  THEMES.forEach((theme, i) => {
    SEEDS.forEach((seeds, k) => {
      if (theme === 'numbers' && k > 0) return;
      const board = document.createElement('oware-board');
      main.append(board);
      board.config({ theme, seeds, playable: 'both', ...fromQuery() });
      const { trace, after: at } = line(RECORDED.slice(0, 8 + 2 * ((i + k) % 7)));
      board.position(at, trace);
    });
  });
}

function minis(): void {
  main.className = 'minis';
  for (let i = 1; i <= RECORDED.length; i += 1) {
    const mini = document.createElement('oware-mini');
    main.append(mini);
    const { trace, after: at } = line(RECORDED.slice(0, i));
    mini.show(at, { last: trace, numbers: i % 4 === 0 });
  }
}

if (query.has('all')) all();
else if (query.has('mini')) minis();
else one();
