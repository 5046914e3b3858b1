// A small reading of the tournament rule, for tests and the demonstration only: it makes the
// traces that a server would send. The board itself knows nothing of this.

import { HOUSES, ROW, houseAt, indexOf, ownHouse, sideOf } from '../src/houses';
import type { BoardPosition, ForbiddenReason, House, Side, Step, Trace } from '../src/types';

interface Bare {
  houses: number[];
  stores: [number, number];
  to_move: Side;
}

function row(houses: number[], side: Side): number {
  const from = side === 'south' ? 0 : ROW;
  return houses.slice(from, from + ROW).reduce((sum, seeds) => sum + seeds, 0);
}

/** Sows a house by the rule that a grand slam captures nothing. */
export function sow(at: Bare, house: House): Trace {
  const side = at.to_move;
  const other: Side = side === 'south' ? 'north' : 'south';
  const houses = [...at.houses];
  const stores: [number, number] = [...at.stores];
  const from = indexOf(house);
  const lifted = houses[from] ?? 0;
  houses[from] = 0;
  const steps: Step[] = [{ step: 'lift', house, seeds: lifted }];
  let last = from;
  let laps = 0;
  for (let i = 0; i < lifted; i += 1) {
    last = (last + 1) % 12;
    if (last === from) {
      laps += 1;
      steps.push({ step: 'skip', house });
      last = (last + 1) % 12;
    }
    houses[last] = (houses[last] ?? 0) + 1;
    steps.push({ step: 'sow', house: houseAt(last), now: houses[last] ?? 0 });
  }
  const chain: number[] = [];
  for (let k = last; k >= 0 && sideOf(houseAt(k)) === other; k -= 1) {
    if (houses[k] !== 2 && houses[k] !== 3) break;
    chain.push(k);
  }
  const held = (k: number) => houses[k] ?? 0;
  const total = chain.reduce((sum, k) => sum + held(k), 0);
  const slam = total > 0 && total === row(houses, other);
  const captures: Trace['captures'] = [];
  for (const k of chain) {
    const entry = { house: houseAt(k), seeds: held(k) };
    if (slam) {
      steps.push({ step: 'spare', ...entry });
      continue;
    }
    captures.push(entry);
    steps.push({ step: 'capture', ...entry, to: side });
    stores[side === 'south' ? 0 : 1] += held(k);
    houses[k] = 0;
  }
  return {
    house,
    side,
    lifted,
    last: houseAt(last),
    laps,
    captured: slam ? 0 : total,
    given: 0,
    grand_slam: slam ? 'nothing_captured' : null,
    captures,
    steps,
    sharing: [],
    houses,
    stores,
    ends: Math.max(...stores) >= 25 ? 'majority' : null,
  };
}

/** A position with everything the board wants to know. */
export function position(houses: number[], stores: [number, number], to_move: Side): BoardPosition {
  const bare: Bare = { houses, stores, to_move };
  const other: Side = to_move === 'south' ? 'north' : 'south';
  const starved = row(houses, other) === 0;
  const legal: Trace[] = [];
  const forbidden: { house: House; reason: ForbiddenReason }[] = [];
  for (let number = 1; number <= ROW; number += 1) {
    const house = ownHouse(to_move, number);
    if (!houses[indexOf(house)]) {
      forbidden.push({ house, reason: 'empty' });
      continue;
    }
    const trace = sow(bare, house);
    const feeds = trace.steps.some((s) => s.step === 'sow' && sideOf(s.house) === other);
    if (starved && !feeds) forbidden.push({ house, reason: 'must_feed' });
    else legal.push(trace);
  }
  return { ...bare, legal, forbidden };
}

export function start(): BoardPosition {
  return position(new Array<number>(12).fill(4), [0, 0], 'south');
}

/** The position after a move; the move's sharing out is done if it has one. */
export function after(trace: Trace): BoardPosition {
  const houses = [...trace.houses];
  const stores: [number, number] = [...trace.stores];
  for (const step of trace.sharing) {
    if (step.step !== 'collect') continue;
    stores[step.to === 'south' ? 0 : 1] += houses[indexOf(step.house)] ?? 0;
    houses[indexOf(step.house)] = 0;
  }
  return position(houses, stores, trace.side === 'south' ? 'north' : 'south');
}

/** What is left goes to the side it lies on. */
export function shared(trace: Trace): Trace {
  const sharing = HOUSES.flatMap((house, at): Step[] => {
    const seeds = trace.houses[at] ?? 0;
    return seeds > 0 ? [{ step: 'collect', house, seeds, to: sideOf(house) }] : [];
  });
  return { ...trace, sharing, ends: 'loop_agreed' };
}

/** The legal move from a house. */
export function legal(at: BoardPosition, house: House): Trace {
  const trace = at.legal.find((t) => t.house === house);
  if (!trace) throw new Error(`${house} is not legal`);
  return trace;
}

/** Plays moves one after the other and returns the last move and where it led. */
export function line(moves: string, from = start()): { trace: Trace; after: BoardPosition } {
  let at = from;
  let trace: Trace | null = null;
  for (const move of moves) {
    trace = legal(at, move as House);
    at = after(trace);
  }
  if (!trace) throw new Error('no move');
  return { trace, after: at };
}
