// When things happen, and what traces say.

import { describe, expect, test } from 'vitest';
import { countsAfter, effectOf, timeline } from '../index';
import type { SpeedName, Trace } from '../index';
import { after, legal, line, position, shared, start } from './sow';

const sown = (trace: Trace, speed: SpeedName) =>
  timeline(trace, speed).moments.filter((moment) => moment.step.step === 'sow');

/** A move of 23 seeds that leaves out its house twice and captures. */
const LONG = legal(position([0, 0, 0, 0, 0, 23, 0, 1, 2, 0, 0, 0], [11, 11], 'south'), 'F');

describe('timeline', () => {
  test('sows one seed after the other at the chosen speed', () => {
    const trace = legal(start(), 'C');
    for (const [speed, each] of [
      ['fast', 40],
      ['normal', 90],
      ['slow', 200],
      ['teaching', 330],
    ] as const) {
      const moments = sown(trace, speed);
      expect(moments).toHaveLength(4);
      const gaps = moments.slice(1).map((moment, i) => moment.at - (moments[i]?.at ?? 0));
      for (const gap of gaps) expect(gap).toBeCloseTo(each);
    }
    expect(timeline(trace, 'off')).toEqual({ moments: [], total: 0 });
  });

  test('large houses are sown faster: the sowing takes 1.4 s at most, unless one is taught', () => {
    for (const speed of ['fast', 'normal', 'slow'] as const) {
      const moments = sown(LONG, speed);
      const last = moments.at(-1);
      expect((last?.at ?? 0) + (last?.lasts ?? 0) - (moments[0]?.at ?? 0)).toBeLessThanOrEqual(
        1401,
      );
    }
    expect(sown(LONG, 'teaching')[1]?.at).toBeGreaterThan(300);
  });

  test('rests before the captures, which follow each other from the last house backwards', () => {
    const { trace } = line('EaDfAaBcDbBfCdDfFdDeFbDcAfDaEf');
    const two = trace.captures.length > 1 ? trace : LONG;
    const { moments, total } = timeline(two, 'normal');
    const taken = moments.filter((moment) => moment.step.step === 'capture');
    const fallen = moments.filter((moment) => moment.step.step === 'sow').at(-1);
    expect(taken.map((moment) => moment.step.house)).toEqual(two.captures.map((c) => c.house));
    expect(taken[0]?.at).toBeCloseTo((fallen?.at ?? 0) + (fallen?.lasts ?? 0) + 250);
    taken.slice(1).forEach((moment, i) => {
      expect(moment.at - (taken[i]?.at ?? 0)).toBeCloseTo(120);
    });
    expect(total).toBeGreaterThanOrEqual(taken.at(-1)?.at ?? 0);
  });
});

describe('what a trace does', () => {
  test('gains, houses passed twice, captures and stores are those of the steps', () => {
    const effect = effectOf(LONG);
    expect(effect.gains.reduce((sum, gain) => sum + gain, 0)).toBe(23);
    expect(effect.gains[5]).toBe(0);
    expect(LONG.laps).toBe(2);
    expect(effect.gains.filter((gain) => gain > 1)).toHaveLength(11);
    expect(effect.stores).toEqual(LONG.stores);
  });

  test('the end shares out what is left', () => {
    const trace = shared(legal(start(), 'A'));
    const counts = countsAfter(trace);
    expect(counts.houses.every((seeds) => seeds === 0)).toBe(true);
    expect(counts.stores[0] + counts.stores[1]).toBe(48);
    expect(effectOf(trace).stores).toEqual(counts.stores);
    expect(after(trace).stores).toEqual(counts.stores);
  });
});
