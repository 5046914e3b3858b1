// What must be true of the clocks of a live game, by the server's own record of its moves.

import { expect } from 'vitest';
import type { GameView } from '../src/api/types';

/**
 * What may be given back for a slow line: three gains at first, one more with each move, never
 * above seven. A gain is a second in games of three minutes and more.
 */
const GAIN_MS = 1000;

/**
 * The clocks run from the third move on, one at a time. Of the time between two moves the mover
 * pays all but what is given back, and gets the increment; the other pays nothing. What is shown
 * is what the last move left, less the time that has passed since for whoever is to move.
 */
export function fair({ plies, time, clock }: GameView): void {
  if (time.kind !== 'clock' || !clock) throw new Error('this game has no clocks');
  const left: [number, number] = [time.initial_s * 1000, time.initial_s * 1000];
  const credit: [number, number] = [3 * GAIN_MS, 3 * GAIN_MS];
  let last = 0;
  for (const { ply, trace, played_at, spent_ms } of plies) {
    const side = trace.side === 'south' ? 0 : 1;
    let back = 0;
    if (ply <= 2) {
      expect(spent_ms, `ply ${ply}`).toBeNull();
    } else {
      const spent = spent_ms ?? NaN;
      back = played_at - last - spent;
      expect(spent, `ply ${ply}: spent`).toBeGreaterThanOrEqual(0);
      expect(back, `ply ${ply}: given back`).toBeGreaterThanOrEqual(0);
      expect(back, `ply ${ply}: given back`).toBeLessThanOrEqual(credit[side]);
      left[side] += time.increment_s * 1000 - spent;
      expect(left[side], `ply ${ply}: left`).toBeGreaterThan(0);
    }
    credit[side] = Math.min(credit[side] + GAIN_MS - back, 7 * GAIN_MS);
    last = played_at;
  }
  if (clock.running) left[clock.running === 'south' ? 0 : 1] -= clock.at - last;
  expect(clock.left_ms, `after ply ${plies.length}`).toEqual(left);
}
