// The line to the server: one socket for a tab. It is opened again when it breaks, with what is
// watched; what was asked for and not answered is asked for again under the same id, which the
// server does once. Knows nothing of games but their names.

import type { Action, ClientFrame, Fault, ServerFrame } from '../api/types';
import { ServerTime } from './clock';
import { newId } from './decide';

export type LineState = 'connecting' | 'open' | 'waiting' | 'revoked';

/** The part of a WebSocket that is used, so that tests can hold the other end. */
export interface Wire {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
}

export interface Environment {
  open(): Wire;
  now(): number;
  random(): number;
  later(ms: number, then: () => void): () => void;
}

/** How long to wait before the line is tried again, in milliseconds. */
const BACKOFF = [300, 1000, 2000, 5000] as const;
/** How often to ask whether the server is there: in a game with somebody, and else. */
const PING_LIVE_MS = 2500;
const PING_IDLE_MS = 25_000;
/** Nothing heard for so long after a ping: the line is dead, whatever the system says. */
const SILENCE_MS = 6500;
/** An action without an answer is sent again after this. */
const RESEND_MS = 2500;

interface Asked {
  frame: ClientFrame;
  at: number;
  resolve: () => void;
  reject: (fault: Fault) => void;
}

export class Line {
  readonly time = new ServerTime();
  state: LineState = 'waiting';
  /** The last round trip, in milliseconds. */
  lag: number | null = null;

  private readonly environment: Environment;
  private wire: Wire | null = null;
  private tries = 0;
  private heard = 0;
  private pinged: { n: number; at: number } | null = null;
  private lastPing = 0;
  private n = 0;
  private live = false;
  private cancelRetry: (() => void) | null = null;
  private cancelTick: (() => void) | null = null;
  private readonly watched = new Map<string, () => number | undefined>();
  private readonly asked = new Map<string, Asked>();
  private readonly listeners = new Set<(frame: ServerFrame) => void>();
  private readonly observers = new Set<() => void>();
  private lobby = 0;
  private wanted = false;

  constructor(environment: Environment) {
    this.environment = environment;
  }

  /** Hears every frame from now on. Returns what ends it. */
  listen(each: (frame: ServerFrame) => void): () => void {
    this.listeners.add(each);
    return () => this.listeners.delete(each);
  }

  /** Is called when `state` or `lag` has changed. */
  observe(each: () => void): () => void {
    this.observers.add(each);
    return () => this.observers.delete(each);
  }

  /** Opens the line and keeps it open from now on. */
  start(): void {
    this.wanted = true;
    if (this.state === 'waiting') this.connect();
  }

  /** Lets go of the line, as when it broke; it is opened again at once. */
  hurry(): void {
    if (this.state !== 'waiting' || !this.wanted) return;
    this.tries = 0;
    this.connect();
  }

  /** Opens the line anew, because somebody has signed in or out: it speaks for one session. */
  renew(): void {
    if (!this.wanted && this.state !== 'revoked') return;
    const { wire } = this;
    this.wire = null;
    wire?.close();
    this.cancelTick?.();
    this.pinged = null;
    this.wanted = true;
    this.tries = 0;
    this.connect();
  }

  /** The page was asleep or hidden: look at once whether the line still holds. */
  check(): void {
    if (this.state === 'open') this.ping();
    else this.hurry();
  }

  /** Whether somebody waits for this tab: pings go more often then. */
  setLive(live: boolean): void {
    if (live === this.live) return;
    this.live = live;
    if (this.state === 'open') this.ping();
  }

  /**
   * Watches a game; `seq` says what the watcher has, each time the line is opened anew, or
   * `undefined` for a snapshot.
   */
  watch(game: string, seq: () => number | undefined): void {
    this.start();
    this.watched.set(game, seq);
    this.askFor(game);
  }

  unwatch(game: string): void {
    if (this.watched.delete(game)) this.send({ t: 'unwatch', game });
  }

  /** Asks for a game as a whole, whatever the watcher has. */
  askForSnapshot(game: string): void {
    this.send({ t: 'watch', game });
  }

  /** Asks for a game again, because something is missing. */
  askFor(game: string): void {
    const seq = this.watched.get(game)?.();
    this.send(seq === undefined ? { t: 'watch', game } : { t: 'watch', game, seq });
  }

  /** Wants the lobby's frames until the returned function is called. */
  enterLobby(): () => void {
    this.start();
    this.lobby += 1;
    if (this.lobby === 1) this.send({ t: 'lobby', on: true });
    return () => {
      this.lobby -= 1;
      if (this.lobby === 0) this.send({ t: 'lobby', on: false });
    };
  }

  /** Asks for an action until it is acknowledged. Rejects with the server's `Fault`. */
  act(game: string, action: Action, id = newId()): Promise<void> {
    return new Promise((resolve, reject) => {
      const frame: ClientFrame = { t: 'act', id, game, ...action };
      this.asked.set(id, { frame, at: this.environment.now(), resolve, reject });
      this.send(frame);
    });
  }

  /**
   * Sends a move once. It is not repeated here when the line breaks: whether it still fits is
   * decided by who made it, once the game is known again.
   */
  move(game: string, action: Action, id: string): boolean {
    return this.send({ t: 'act', id, game, ...action });
  }

  private send(frame: ClientFrame): boolean {
    if (this.state !== 'open' || !this.wire) return false;
    this.wire.send(JSON.stringify(frame));
    return true;
  }

  private set(state: LineState): void {
    this.state = state;
    for (const each of this.observers) each();
  }

  private connect(): void {
    this.cancelRetry?.();
    this.cancelRetry = null;
    const wire = this.environment.open();
    this.wire = wire;
    this.heard = this.environment.now();
    this.set('connecting');
    this.tick();
    wire.onmessage = (event) => {
      if (this.wire === wire && typeof event.data === 'string') this.take(event.data);
    };
    wire.onclose = (event) => {
      if (this.wire === wire) this.lost(event.code);
    };
  }

  private lost(code: number): void {
    this.wire = null;
    this.pinged = null;
    this.cancelTick?.();
    if (code === 4001) {
      this.wanted = false;
      this.set('revoked');
      return;
    }
    const base = BACKOFF[Math.min(this.tries, BACKOFF.length - 1)] ?? 5000;
    this.tries += 1;
    // Spread out, so that a restarted server is not asked by everybody in the same moment.
    const wait = base * (0.7 + 0.6 * this.environment.random());
    this.set('waiting');
    this.cancelRetry = this.environment.later(wait, () => this.connect());
  }

  private take(text: string): void {
    let frame: ServerFrame;
    try {
      frame = JSON.parse(text) as ServerFrame;
    } catch {
      return;
    }
    const now = this.environment.now();
    this.heard = now;
    if (frame.t === 'hello') this.welcome(frame.now, now);
    else if (frame.t === 'pong') this.pong(frame, now);
    else if (frame.t === 'ack') this.answered(frame.id)?.resolve();
    else if (frame.t === 'refused' && frame.id) this.answered(frame.id)?.reject(frame.fault);
    for (const each of this.listeners) each(frame);
  }

  private welcome(serverNow: number, now: number): void {
    this.tries = 0;
    this.time.learn(serverNow, now, 400);
    this.set('open');
    for (const game of this.watched.keys()) this.askFor(game);
    if (this.lobby > 0) this.send({ t: 'lobby', on: true });
    for (const asked of this.asked.values()) this.again(asked, now);
    this.ping();
  }

  private answered(id: string): Asked | undefined {
    const asked = this.asked.get(id);
    this.asked.delete(id);
    return asked;
  }

  private again(asked: Asked, now: number): void {
    asked.at = now;
    this.send(asked.frame);
  }

  private ping(): void {
    this.n += 1;
    this.lastPing = this.environment.now();
    this.pinged = { n: this.n, at: this.lastPing };
    this.send({ t: 'ping', n: this.n });
    this.tick();
  }

  private pong(frame: { n: number; now: number }, now: number): void {
    if (this.pinged?.n !== frame.n) return;
    const roundTrip = now - this.pinged.at;
    this.pinged = null;
    this.lag = Math.round(roundTrip);
    this.time.learn(frame.now, now, roundTrip);
    for (const each of this.observers) each();
  }

  /** Looks after the line every now and then. */
  private tick(): void {
    this.cancelTick?.();
    const every = this.live ? PING_LIVE_MS : PING_IDLE_MS;
    const unanswered = this.pinged !== null || this.state === 'connecting';
    const wait = unanswered || this.asked.size > 0 ? Math.min(every, RESEND_MS) : every;
    const due = this.environment.now() + wait;
    this.cancelTick = this.environment.later(wait, () => this.look(this.environment.now() - due));
  }

  private look(late: number): void {
    const now = this.environment.now();
    const silent = now - this.heard;
    const waits = this.pinged !== null || this.state === 'connecting';
    // A timer that comes much too late: the computer slept. That is no fault of the line; it is
    // asked once more before it is given up.
    if (waits && silent > SILENCE_MS && late < 3000) {
      const wire = this.wire;
      this.wire = null;
      wire?.close();
      this.lost(1006);
      return;
    }
    if (this.state === 'open') {
      for (const asked of this.asked.values()) {
        if (now - asked.at >= RESEND_MS) this.again(asked, now);
      }
      const every = this.live ? PING_LIVE_MS : PING_IDLE_MS;
      const due = this.pinged === null && now - this.lastPing >= every - 1;
      if (due || late >= 3000) return this.ping();
    }
    this.tick();
  }
}
