// What a trace says about each house, for previews and for the marks of the last move.

import { HOUSE_COUNT, indexOf } from './houses';
import type { Counts, GrandSlamOutcome, Step, Trace } from './types';

export interface Effect {
  from: number;
  last: number;
  /** Seeds sown into each house. */
  gains: number[];
  /** Seeds captured from each house. */
  taken: number[];
  /** Seeds of the capture chain that stay because of the grand-slam clause. */
  spared: number[];
  /** Seeds of each house that go to a store when the game ends. */
  collected: number[];
  /** Stores at the end of it all. */
  stores: [number, number];
  grandSlam: GrandSlamOutcome | null;
}

function zeros(): number[] {
  return new Array<number>(HOUSE_COUNT).fill(0);
}

/** Every step of a move: the move itself and the sharing out after it. */
export function allSteps(trace: Trace): Step[] {
  return [...trace.steps, ...trace.sharing];
}

/** Sums up a trace house by house. */
export function effectOf(trace: Trace): Effect {
  const effect: Effect = {
    from: indexOf(trace.house),
    last: indexOf(trace.last),
    gains: zeros(),
    taken: zeros(),
    spared: zeros(),
    collected: zeros(),
    stores: [...trace.stores],
    grandSlam: trace.grand_slam,
  };
  for (const step of allSteps(trace)) {
    const at = indexOf(step.house);
    if (step.step === 'sow') effect.gains[at] = (effect.gains[at] ?? 0) + 1;
    if (step.step === 'capture') effect.taken[at] = step.seeds;
    if (step.step === 'spare') effect.spared[at] = step.seeds;
    if (step.step === 'collect') effect.collected[at] = step.seeds;
  }
  for (const step of trace.sharing) {
    if (step.step === 'collect') effect.stores[step.to === 'south' ? 0 : 1] += step.seeds;
  }
  return effect;
}

/** Does one step to counts. Seeds in hand are counted nowhere until they fall. */
export function applyStep(counts: Counts, step: Step): void {
  const at = indexOf(step.house);
  const held = counts.houses[at] ?? 0;
  switch (step.step) {
    case 'lift':
      counts.houses[at] = 0;
      break;
    case 'sow':
      counts.houses[at] = held + 1;
      break;
    case 'capture':
    case 'collect':
      counts.houses[at] = 0;
      counts.stores[step.to === 'south' ? 0 : 1] += held;
      break;
    case 'skip':
    case 'spare':
      break;
  }
}

/** The counts of a position at the end of a move, as the trace has them. */
export function countsAfter(trace: Trace): Counts {
  const counts: Counts = { houses: [...trace.houses], stores: [...trace.stores] };
  for (const step of trace.sharing) applyStep(counts, step);
  return counts;
}

/** Whether two counts differ anywhere. */
export function differs(a: Counts, b: Counts): boolean {
  return (
    a.stores[0] !== b.stores[0] ||
    a.stores[1] !== b.stores[1] ||
    a.houses.some((seeds, at) => seeds !== b.houses[at])
  );
}
