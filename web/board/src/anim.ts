// Moves in motion. A move starts from what lies on the board, whatever that is, and ends with the
// position it was said to lead to; if the two differ, that is reported and put right.

import { indexOf } from './houses';
import { countsAfter, differs } from './preview';
import type { Scene } from './scene';
import { timeline } from './timeline';
import type { Moment } from './timeline';
import type { Counts, SpeedName, Trace } from './types';

interface Job {
  trace: Trace;
  after: Counts;
  speed: SpeedName;
  done: () => void;
}

/** A move that has hardly begun when the next arrives is one of several handed over at once. */
const BURST_MS = 50;

interface Cue {
  at: number;
  kind: 'start' | 'land';
  moment: Moment;
}

export interface Watcher {
  /** A move begins. */
  begins(trace: Trace): void;
  /** A step begins or is done: `counts` are the numbers to be shown from now on. */
  starts(moment: Moment, counts: Counts): void;
  lands(moment: Moment, counts: Counts): void;
  /** A move has ended, or was jumped; `rest` where no other waits. */
  ends(trace: Trace, after: Counts, rest: boolean): void;
  /** What lay on the board was not what should lie there. It has been put right. */
  drifts(shown: Counts, expected: Counts): void;
}

function cues(moments: Moment[]): Cue[] {
  const all: Cue[] = [];
  for (const moment of moments) {
    all.push({ at: moment.at, kind: 'start', moment });
    if (moment.lasts > 0) all.push({ at: moment.at + moment.lasts, kind: 'land', moment });
  }
  // Sorting is stable; what has landed is told before the next thing starts.
  return all.sort((a, b) => a.at - b.at || Number(a.kind === 'start') - Number(b.kind === 'start'));
}

export class Player {
  private job: Job | null = null;
  private queue: Job[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private cues: Cue[] = [];
  private began = 0;
  private labels: Counts = { houses: [], stores: [0, 0] };
  /** Seeds on their way to a store. */
  private flying = new Map<Moment, number>();
  private readonly scene: Scene;
  private readonly watcher: Watcher;

  constructor(scene: Scene, watcher: Watcher) {
    this.scene = scene;
    this.watcher = watcher;
  }

  get animating(): boolean {
    return this.job !== null;
  }

  /** Plays a move after those that wait; of several that wait only the last is seen moving. */
  play(trace: Trace, after: Counts, speed: SpeedName): Promise<void> {
    return new Promise((done) => {
      this.queue.push({ trace, after, speed, done });
      const burst = performance.now() - this.began < BURST_MS;
      if (this.job && (burst || this.queue.length > 1)) this.jump(this.job);
      if (!this.job) this.next();
    });
  }

  /** Ends everything at once: the board shows the last position that was asked for. */
  finish(): void {
    while (this.job ?? this.queue[0]) {
      if (this.job) this.jump(this.job);
      const job = this.queue.shift();
      if (job) this.jump(job);
    }
  }

  /** Forgets everything under way, for a board that is set anew. */
  cancel(): void {
    clearTimeout(this.timer);
    const jobs = [...(this.job ? [this.job] : []), ...this.queue.splice(0)];
    this.job = null;
    this.cues = [];
    for (const job of jobs) job.done();
  }

  private next(): void {
    while (this.queue.length > 1) {
      const skipped = this.queue.shift();
      if (skipped) this.jump(skipped);
    }
    const job = this.queue.shift();
    if (!job) return;
    this.job = job;
    this.watcher.begins(job.trace);
    if (job.speed === 'off') {
      this.jump(job);
      return;
    }
    this.labels = this.scene.counts();
    this.flying.clear();
    this.cues = cues(timeline(job.trace, job.speed).moments);
    this.began = performance.now();
    this.tick();
  }

  private tick(): void {
    const { job } = this;
    if (!job) return;
    const elapsed = performance.now() - this.began;
    // Timers may be late; everything that is due is done.
    for (let cue = this.cues[0]; cue && cue.at <= elapsed; cue = this.cues[0]) {
      this.cues.shift();
      if (cue.kind === 'start') this.start(cue.moment);
      else this.land(cue.moment);
      // Whoever watched may have ended the move.
      if (this.job !== job) return;
    }
    const next = this.cues[0];
    if (next) {
      this.timer = setTimeout(() => this.tick(), Math.max(1, next.at - elapsed));
      return;
    }
    this.end(job);
  }

  private start(moment: Moment): void {
    const { step, lasts } = moment;
    const at = indexOf(step.house);
    switch (step.step) {
      case 'lift':
        this.scene.lift(at, lasts);
        this.labels.houses[at] = 0;
        break;
      case 'sow':
        this.scene.sow(at, lasts);
        break;
      case 'capture':
      case 'collect':
        this.flying.set(moment, this.labels.houses[at] ?? 0);
        this.labels.houses[at] = 0;
        this.scene.take(at, step.to === 'south' ? 0 : 1, lasts);
        break;
      case 'spare':
        this.scene.shake(at);
        break;
      case 'skip':
        this.scene.pass(at, lasts);
        break;
    }
    this.watcher.starts(moment, this.labels);
  }

  /** Numbers follow what is seen: a house's when its seed falls, a store's when seeds arrive. */
  private land(moment: Moment): void {
    const { step } = moment;
    const at = indexOf(step.house);
    const { houses, stores } = this.labels;
    if (step.step === 'sow') houses[at] = (houses[at] ?? 0) + 1;
    if (step.step === 'capture' || step.step === 'collect') {
      stores[step.to === 'south' ? 0 : 1] += this.flying.get(moment) ?? 0;
    }
    this.watcher.lands(moment, this.labels);
  }

  private end(job: Job): void {
    this.job = null;
    const shown = this.scene.counts();
    const wrong = [shown, this.labels].find((counts) => differs(counts, job.after));
    this.scene.settle(job.after);
    this.watcher.ends(job.trace, job.after, this.queue.length === 0);
    if (wrong) this.watcher.drifts(wrong, job.after);
    job.done();
    if (!this.job) this.next();
  }

  /** Puts the end of a move on the board without the way there. */
  private jump(job: Job): void {
    clearTimeout(this.timer);
    if (this.job === job) this.job = null;
    this.cues = [];
    const told = countsAfter(job.trace);
    this.scene.settle(job.after);
    this.watcher.ends(job.trace, job.after, this.queue.length === 0);
    if (differs(told, job.after)) this.watcher.drifts(told, job.after);
    job.done();
  }
}
