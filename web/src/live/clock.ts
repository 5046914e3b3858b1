// Clocks as people see them. The server's word is right at `at`; from there on time is what
// `performance.now()` says, which does not jump when somebody sets the computer's clock.

import type { ClockView, Side } from '../api/types';

/** What the server's clock says, learned from its frames. */
export class ServerTime {
  private offset = Date.now() - performance.now();
  private best = Infinity;

  /** `now` was true half a round trip before `received` (of `performance.now()`). */
  learn(now: number, received: number, roundTrip: number): void {
    // The fastest answer says it best; but old ones lose weight, for clocks drift.
    if (roundTrip <= this.best * 1.25) {
      this.offset = now + roundTrip / 2 - received;
      this.best = roundTrip;
    } else {
      this.best *= 1.1;
    }
  }

  now(): number {
    return performance.now() + this.offset;
  }
}

/** What a side has left, in milliseconds, never below 0. `frozen` stops the clocks. */
export function left(clock: ClockView, side: Side, now: number, frozen = false): number {
  const at = clock.left_ms[side === 'south' ? 0 : 1];
  if (clock.running !== side || frozen) return Math.max(0, at);
  return Math.max(0, at - Math.max(0, now - clock.at));
}

/** `1:02:03`, `12:05`, and below ten seconds `0:09.4`. Rounded so that 0 is only shown at 0. */
export function clockText(ms: number): string {
  if (ms < 10_000) {
    const tenths = Math.ceil(ms / 100);
    return `0:0${Math.floor(Math.min(tenths, 99) / 10)}.${Math.min(tenths, 99) % 10}`;
  }
  const seconds = Math.ceil(ms / 1000);
  const two = (n: number): string => String(n).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}`;
}
