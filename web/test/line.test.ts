// The line to the server, with the other end and the time in the test's hands.

import { beforeEach, describe, expect, it } from 'vitest';
import type { Line } from '../src/live/line';
import { FakeServer, type FakeWire } from './harness';

let server: FakeServer;
let line: Line;

const wire = (): FakeWire => server.wire;
const pass = (ms: number): void => server.pass(ms);
const passAnswered = (ms: number): void => server.passAnswered(ms);

beforeEach(() => {
  server = new FakeServer();
  ({ line } = server);
});

describe('the line', () => {
  it('watches again, from what is known, each time it is opened', () => {
    let seq: number | undefined;
    line.watch('g', () => seq);
    expect(wire().sent).toEqual([]);
    wire().hello();
    expect(wire().of('watch')).toEqual([{ t: 'watch', game: 'g' }]);
    seq = 7;
    wire().onclose?.({ code: 1006 });
    expect(line.state).toBe('waiting');
    pass(400);
    expect(server.wires).toHaveLength(2);
    wire().hello();
    expect(wire().of('watch')).toEqual([{ t: 'watch', game: 'g', seq: 7 }]);
    expect(line.state).toBe('open');
  });

  it('waits longer after each failure, and not at all when asked to hurry', () => {
    line.start();
    const waits: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      wire().onclose?.({ code: 1006 });
      const before = server.clock;
      const count = server.wires.length;
      while (server.wires.length === count) pass(10);
      waits.push(server.clock - before);
    }
    expect(waits).toEqual([300, 1000, 2000, 5000, 5000, 5000]);
    wire().onclose?.({ code: 1006 });
    const count = server.wires.length;
    line.hurry();
    expect(server.wires.length).toBe(count + 1);
    pass(20_000);
    // The timer that was waiting does not open a second one.
    expect(server.wires.filter((one) => !one.closed).length).toBeGreaterThan(0);
  });

  it('asks again under the same id until there is an answer', async () => {
    line.start();
    wire().hello();
    let done = false;
    const asked = line.act('g', { action: 'resign' }, 'id1').then(() => (done = true));
    passAnswered(2000);
    expect(wire().of('act')).toHaveLength(1);
    passAnswered(6000);
    expect(wire().of('act').length).toBeGreaterThan(1);
    wire().onclose?.({ code: 1006 });
    pass(400);
    wire().hello();
    const frames = wire().of('act');
    expect(frames).toEqual([{ t: 'act', id: 'id1', game: 'g', action: 'resign' }]);
    wire().hear({ t: 'ack', id: 'id1', game: 'g', seq: 3 });
    wire().hear({ t: 'ack', id: 'id1', game: 'g', seq: 3 });
    await asked;
    expect(done).toBe(true);
    passAnswered(10_000);
    expect(wire().of('act')).toHaveLength(1);
  });

  it('tells what was refused', async () => {
    line.start();
    wire().hello();
    const asked = line.act('g', { action: 'accept' }, 'id2');
    const fault = { code: 'no_offer', message: 'none' };
    wire().hear({ t: 'refused', id: 'id2', game: 'g', fault });
    await expect(asked).rejects.toEqual(fault);
  });

  it('finds out by itself that nobody is there any more', () => {
    line.start();
    line.setLive(true);
    wire().hello();
    passAnswered(10_000);
    expect(server.wires).toHaveLength(1);
    pass(12_000);
    expect(server.wires[0]?.closed).toBe(true);
    expect(server.wires.length).toBeGreaterThan(1);
  });

  it('pings seldom where nothing goes on, and often in a live game', () => {
    line.start();
    wire().hello();
    passAnswered(50_000);
    expect(wire().of('ping').length).toBeLessThan(5);
    line.setLive(true);
    const before = wire().of('ping').length;
    passAnswered(10_000);
    expect(wire().of('ping').length - before).toBeGreaterThanOrEqual(4);
  });

  it('stays shut when the session was ended', () => {
    line.start();
    wire().hello();
    wire().onclose?.({ code: 4001 });
    expect(line.state).toBe('revoked');
    pass(60_000);
    expect(server.wires).toHaveLength(1);
  });

  it('is opened anew for who has just signed in', () => {
    line.watch('g', () => 4);
    wire().hello();
    line.renew();
    expect(server.wires).toHaveLength(2);
    expect(server.wires[0]?.closed).toBe(true);
    wire().hello();
    expect(wire().of('watch')).toEqual([{ t: 'watch', game: 'g', seq: 4 }]);
    passAnswered(20_000);
    expect(server.wires).toHaveLength(2);
  });

  it('ignores what an old wire still says', () => {
    line.start();
    const old = wire();
    old.hello();
    old.onclose?.({ code: 1006 });
    pass(400);
    wire().hello();
    const heard: string[] = [];
    line.listen((frame) => heard.push(frame.t));
    old.hear({ t: 'restarting' });
    old.onclose?.({ code: 1006 });
    expect(heard).toEqual([]);
    expect(line.state).toBe('open');
  });
});
