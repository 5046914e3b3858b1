// When the steps of a move happen. Times are in milliseconds from the start of the move.

import { allSteps } from './preview';
import type { SpeedName, Step, Trace } from './types';

/** Milliseconds per sown seed. */
export const SEED_MS: Record<SpeedName, number> = {
  off: 0,
  fast: 40,
  normal: 90,
  slow: 200,
  teaching: 330,
};

/** A sowing takes no longer than this, whatever the number of seeds; teaching may. */
export const SOW_LIMIT_MS = 1400;
export const LIFT_MS = 150;
/** Between the last seed and the first capture. */
export const PAUSE_MS = 250;
/** Between one captured house and the next. */
export const CAPTURE_MS = 120;
/** How long captured seeds fly to the store. */
export const FLY_MS = 260;

export interface Moment {
  at: number;
  /** How long what is seen of the step takes. */
  lasts: number;
  step: Step;
  /** Which of the sown seeds or of the taken houses this is, from 0. */
  nth: number;
}

export interface Timeline {
  moments: Moment[];
  /** When everything lies where it belongs. */
  total: number;
}

/** Milliseconds per seed for so many seeds: large houses are sown faster. */
export function seedMs(speed: SpeedName, seeds: number): number {
  const each = SEED_MS[speed];
  if (speed === 'teaching') return each;
  return Math.min(each, SOW_LIMIT_MS / Math.max(seeds, 1));
}

/** The timeline of a move. At speed `off` it is empty. */
export function timeline(trace: Trace, speed: SpeedName): Timeline {
  if (speed === 'off') return { moments: [], total: 0 };
  const factor = Math.max(0.45, SEED_MS[speed] / SEED_MS.normal);
  const pause = Math.round(PAUSE_MS * Math.min(factor, 1.6));
  const lift = Math.round(LIFT_MS * Math.min(factor, 1.4));
  const capture = Math.round(CAPTURE_MS * Math.min(factor, 3));
  const fly = Math.round(FLY_MS * Math.min(factor, 2));
  // Passing the house of origin takes as long as a seed, so that it is seen to be left out.
  const each = seedMs(speed, trace.lifted + trace.laps);
  const moments: Moment[] = [];
  let at = 0;
  let nth = 0;
  let taken = 0;
  let rested = false;
  let end = 0;
  for (const step of allSteps(trace)) {
    const moves = step.step === 'capture' || step.step === 'collect' || step.step === 'spare';
    if (moves && !rested) {
      at += pause;
      rested = true;
    }
    const sow = step.step === 'sow';
    const passes = sow || step.step === 'skip';
    const lasts = step.step === 'lift' ? lift : passes ? each : moves ? fly : 0;
    moments.push({ at, lasts, step, nth: sow ? nth : moves ? taken : 0 });
    end = Math.max(end, at + lasts);
    if (step.step === 'lift') at += lift;
    if (passes) at += each;
    if (sow) nth += 1;
    if (!moves) continue;
    at += capture;
    taken += 1;
  }
  return { moments, total: end };
}
