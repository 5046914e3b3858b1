// What tests of the live client share: positions and traces that need no rules, and a server's end
// of the line.

import type { ClientFrame, GameView, PositionView, ServerFrame, Trace } from '../src/api/types';
import { draftView, PERSON } from '../src/live/draft.svelte';
import { Line, type Environment, type Wire } from '../src/live/line';

export const START: PositionView = {
  position: 'start',
  houses: new Array<number>(12).fill(4),
  stores: [0, 0],
  to_move: 'south',
  legal: [],
  forbidden: [],
  occurrences: 1,
  capture_free: 0,
  ending: null,
};

export function trace(house: Trace['house'], side: Trace['side'] = 'south'): Trace {
  return {
    house,
    side,
    lifted: 4,
    last: 'd',
    laps: 0,
    captured: 0,
    given: 0,
    grand_slam: null,
    captures: [],
    steps: [],
    sharing: [],
    houses: [4, 4, 4, 4, 4, 0, 5, 5, 5, 5, 4, 4],
    stores: [0, 0],
    ends: null,
  };
}

/** A game called `g` after some houses, as South sees it. */
export function game(houses = ''): GameView {
  const seats = { south: PERSON, north: PERSON, you: ['south' as const] };
  const plies = [...houses].map((house, index) => ({
    ply: index + 1,
    trace: trace(house as Trace['house'], index % 2 === 0 ? 'south' : 'north'),
    played_at: 0,
    spent_ms: null,
  }));
  const state: PositionView = {
    ...START,
    position: houses === '' ? 'start' : `after ${houses}`,
    to_move: houses.length % 2 === 0 ? 'south' : 'north',
    legal: houses.length % 2 === 0 ? [trace('A'), trace('F')] : [],
  };
  return {
    ...draftView('abapa', START, seats),
    id: 'g',
    seq: 10 + houses.length,
    plies,
    state,
  };
}

export class FakeWire implements Wire {
  sent: ClientFrame[] = [];
  closed = false;
  onopen = null;
  onmessage: Wire['onmessage'] = null;
  onclose: Wire['onclose'] = null;

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientFrame);
  }

  close(): void {
    this.closed = true;
  }

  hear(frame: ServerFrame): void {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }

  hello(): void {
    this.hear({ t: 'hello', now: 0, boot: 'b', version: '1' });
  }

  of(kind: ClientFrame['t']): ClientFrame[] {
    return this.sent.filter((frame) => frame.t === kind);
  }
}

/** A line whose other end and whose time are in the test's hands. */
export class FakeServer {
  wires: FakeWire[] = [];
  clock = 0;
  private timers: { at: number; then: () => void }[] = [];
  readonly line: Line;

  constructor() {
    const environment: Environment = {
      open: () => {
        const wire = new FakeWire();
        this.wires.push(wire);
        return wire;
      },
      now: () => this.clock,
      random: () => 0.5,
      later: (ms, then) => {
        const timer = { at: this.clock + ms, then };
        this.timers.push(timer);
        return () => (this.timers = this.timers.filter((one) => one !== timer));
      },
    };
    this.line = new Line(environment);
  }

  /** The wire that was opened last. */
  get wire(): FakeWire {
    const wire = this.wires.at(-1);
    if (!wire) throw new Error('no wire was opened');
    return wire;
  }

  /** Lets time pass, with all that is due in it, in order. */
  pass(ms: number): void {
    const end = this.clock + ms;
    for (;;) {
      const next = this.timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.clock = next.at;
      next.then();
    }
    this.clock = end;
  }

  /** The same, with an answer to every ping, as from a server that is there. */
  passAnswered(ms: number): void {
    for (let n = 0; n < ms; n += 100) {
      const ping = this.wire.sent.findLast((frame) => frame.t === 'ping');
      if (ping?.t === 'ping') {
        this.wire.hear({ t: 'pong', n: ping.n, now: this.clock, lag_ms: null });
      }
      this.pass(100);
    }
  }
}
