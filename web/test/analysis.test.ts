// Trees of moves, addresses, positions that are put together, values in the eyes of South.

import { describe, expect, it } from 'vitest';
import type { GameReport, MoveValue, ReportPly } from '../src/api/study';
import type { House } from '../src/api/types';
import { curve, faults } from '../src/pages/analysis/graph';
import { count, fillStores, readDraft, total, writeDraft } from '../src/pages/analysis/setup';
import { LONGEST, read, write } from '../src/pages/analysis/share';
import {
  add,
  addLine,
  empty,
  end,
  fromWire,
  inOrder,
  isMain,
  moves,
  path,
  pieces,
  promote,
  remove,
  say,
  START,
  step,
  toWire,
  type Piece,
  type Tree,
} from '../src/pages/analysis/tree';
import { finals, forSouth, share, southValue } from '../src/pages/analysis/values';

function line(text: string): House[] {
  return [...text] as House[];
}

/** F f B e, with e instead of f followed by E, and D instead of E. */
function sample(): { tree: Tree; ids: Record<string, number> } {
  const main = addLine(empty(), 0, line('FfBe'));
  const [first] = path(main.tree, main.id);
  const other = addLine(main.tree, first?.id ?? 0, line('eE'));
  const [, e] = path(other.tree, other.id);
  const third = add(other.tree, e?.id ?? 0, 'D');
  const ids = { F: first?.id ?? 0, e: e?.id ?? 0, E: other.id, D: third.id, last: main.id };
  return { tree: third.tree, ids };
}

function told(all: readonly Piece[]): string {
  return all.map((one) => ('node' in one ? one.node.house : `(${told(one.line)})`)).join('');
}

describe('a tree', () => {
  it('keeps what is there when the same house is played again', () => {
    const { tree, ids } = sample();
    const again = add(tree, 0, 'F');
    expect(again.tree).toBe(tree);
    expect(again.id).toBe(ids['F']);
    expect(moves(tree, ids['E'] ?? 0)).toBe('FeE');
  });

  it('is told with each variation behind the move that it replaces', () => {
    expect(told(pieces(sample().tree))).toBe('Ff(eE(D))Be');
  });

  it('is walked by steps', () => {
    const { tree, ids } = sample();
    const f = step(tree, ids['F'] ?? 0, 'on');
    expect(tree.nodes.get(f)?.house).toBe('f');
    expect(step(tree, f, 'behind')).toBe(ids['e']);
    expect(step(tree, ids['e'] ?? 0, 'before')).toBe(f);
    expect(step(tree, ids['e'] ?? 0, 'behind')).toBe(ids['e']);
    expect(step(tree, ids['F'] ?? 0, 'back')).toBe(0);
    expect(step(tree, 0, 'back')).toBe(0);
    expect(end(tree, 0)).toBe(ids['last']);
    expect(step(tree, ids['last'] ?? 0, 'on')).toBe(ids['last']);
  });

  it('loses a node with all that follows, and nothing else', () => {
    const { tree, ids } = sample();
    const cut = remove(tree, ids['e'] ?? 0);
    expect(told(pieces(cut))).toBe('FfBe');
    expect([...cut.nodes.keys()]).not.toContain(ids['D']);
    expect(told(pieces(tree))).toBe('Ff(eE(D))Be');
    expect(remove(cut, ids['e'] ?? 0)).toBe(cut);
    expect(told(pieces(remove(tree, ids['F'] ?? 0)))).toBe('');
  });

  it('is promoted step by step until it is the main line', () => {
    const { tree, ids } = sample();
    const d = ids['D'] ?? 0;
    expect(isMain(tree, d)).toBe(false);
    const once = promote(tree, d);
    expect(told(pieces(once))).toBe('Ff(eD(E))Be');
    const twice = promote(once, d);
    expect(told(pieces(twice))).toBe('Fe(fBe)D(E)');
    expect(isMain(twice, d)).toBe(true);
    expect(promote(twice, d)).toBe(twice);
  });

  it('goes to the server and back', () => {
    const { tree, ids } = sample();
    const spoken = say(say(tree, ids['e'] ?? 0, { comment: 'hm', mark: '?!' }), 0, {
      comment: 'begin',
    });
    const { wire, places } = toWire(spoken);
    expect(wire.nodes.map((node) => node.parent < 1 + wire.nodes.indexOf(node))).not.toContain(
      false,
    );
    expect(places.get(0)).toBe(0);
    const again = fromWire(wire);
    expect(told(pieces(again))).toBe(told(pieces(spoken)));
    expect(toWire(again).wire).toEqual(wire);
    expect(again.comment).toBe('begin');
    expect(inOrder(again).find((node) => node.house === 'e' && node.comment === 'hm')?.mark).toBe(
      '?!',
    );
  });
});

describe('an address', () => {
  function roundTrip(tree: Tree, at: number): { tree: Tree; at: number } {
    return read(new URLSearchParams(write(tree, at)));
  }

  it('of a plain line is short and can be read', () => {
    const { tree, id } = addLine(empty(), 0, line('FfBe'));
    expect(write(tree, id)).toBe('moves=FfBe');
    expect(write(empty(), 0)).toBe('');
    const half = path(tree, id)[1]?.id ?? 0;
    const again = roundTrip(tree, half);
    expect(moves(again.tree, again.at)).toBe('Ff');
    expect(moves(again.tree, end(again.tree, 0))).toBe('FfBe');
  });

  it('holds variations, comments, rules and start', () => {
    const { tree, ids } = sample();
    const start = '0-0-1-0-0-3-1-0-0-0-0-0-23-20-S';
    const spoken = say({ ...tree, rules: 'awari', start }, ids['e'] ?? 0, { comment: 'é 種 “?”' });
    const again = roundTrip(spoken, ids['D'] ?? 0);
    expect(toWire(again.tree).wire).toEqual(toWire(spoken).wire);
    expect(moves(again.tree, again.at)).toBe('FeD');
  });

  it('that would be too long leads to the present position alone', () => {
    let { tree } = sample();
    tree = say(tree, 1, { comment: 'x'.repeat(LONGEST) });
    const [, , b] = path(tree, end(tree, 0));
    const again = roundTrip(tree, b?.id ?? 0);
    expect(moves(again.tree, again.at)).toBe('FfB');
  });

  it('with nonsense in it is the start of a game', () => {
    for (const text of ['tree=!!', 'tree=e30', 'moves=123', 'at=99', 'at=x']) {
      const { tree, at } = read(new URLSearchParams(text));
      expect([tree.nodes.size, at, tree.start]).toEqual([0, 0, START]);
    }
  });
});

describe('a position that is put together', () => {
  it('is read and written', () => {
    const text = '0-0-1-0-0-3-1-0-0-0-0-0-23-20-N';
    expect(writeDraft(readDraft(text))).toBe(text);
    for (const wrong of ['', 'x', '1-2', `${text}-S`, text.replace('23', '-1')]) {
      expect(writeDraft(readDraft(wrong))).toBe(START);
    }
  });

  it('gets the seeds that are missing into its stores', () => {
    const draft = { ...readDraft(START), houses: [1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0] };
    for (const stores of [
      [0, 0],
      [20, 10],
      [0, 48],
      [48, 48],
    ] as [number, number][]) {
      const filled = fillStores({ ...draft, stores });
      expect(total(filled)).toBe(48);
      expect(Math.min(...filled.stores)).toBeGreaterThanOrEqual(0);
    }
    expect(fillStores({ ...draft, stores: [20, 10] }).stores).toEqual([28, 17]);
  });

  it('counts what is typed', () => {
    expect(['', 'x', '-3', '7', '7.9', '99'].map(count)).toEqual([0, 0, 0, 7, 7, 48]);
  });
});

describe('values', () => {
  const move = (value: number): MoveValue => ({
    house: 'F',
    captured: 0,
    value,
    bound: 'exact',
    known: 'search',
    depth: 9,
    proven: null,
    least: null,
    most: null,
    past: false,
    chances: [1000, 0, 0],
    line: 'F',
  });

  it('are South’s, whoever moves', () => {
    expect([forSouth(3, 'south'), forSouth(3, 'north'), forSouth(0, 'north')]).toEqual([3, -3, 0]);
    expect(southValue([move(2)], null, 'north')).toBe(-2);
    expect(southValue([], null, 'south')).toBeNull();
  });

  it('turn least into most with the side', () => {
    const values = { even: 2, low: -4, high: 6 };
    expect(finals(values, 1, 'south')).toEqual({ even: 3, low: -3, high: 7 });
    expect(finals(values, 1, 'north')).toEqual({ even: -3, low: -7, high: 3 });
    expect(finals({ even: null, low: null, high: null }, 1, 'north').low).toBeNull();
  });

  it('fill the bar from the middle', () => {
    expect(share(0)).toBe(0.5);
    expect(share(4)).toBeGreaterThan(0.7);
    expect(share(-48)).toBeLessThan(0.01);
  });

  it('make a curve that stays in its box, and the faults stand on it', () => {
    const ply = (number: number, south: number, label: ReportPly['label']): ReportPly => ({
      ply: number,
      side: 'south',
      forced: false,
      played: move(0),
      best: move(0),
      lost: 0,
      label,
      point: { south, chances: [0, 1000, 0] },
    });
    const player = {
      moves: 0,
      choices: 0,
      counts: [0, 0, 0, 0, 0] as [number, number, number, number, number],
      lost: 0,
      accuracy: null,
    };
    const report: GameReport = {
      start: { south: 0, chances: [0, 1000, 0] },
      plies: [ply(1, 3, 'best'), ply(2, -60, 'blunder'), ply(3, 9, 'good')],
      players: [player, player],
      nodes: 0,
      elapsed_ms: 0,
    };
    const { points, most, area } = curve(report, 300, 100);
    expect(points.map((point) => point.x)).toEqual([0, 100, 200, 300]);
    expect(points.every((point) => point.y >= 0 && point.y <= 100)).toBe(true);
    expect([most, points[0]?.y]).toEqual([48, 50]);
    expect(area.endsWith('Z')).toBe(true);
    expect(faults(report).map((one) => one.ply)).toEqual([2]);
    expect(curve({ ...report, start: null, plies: [] }, 300, 100).area).toBe('');
  });
});
