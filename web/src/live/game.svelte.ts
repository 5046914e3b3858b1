// One game of the site in this tab: what the server says of it, the move that is on its way, and
// everything one can do in it.

import type { Action, Fault, GameView, House, OfferKind, ServerFrame, Side } from '../api/types';
import { decide, keep, newId, recall, type Pending } from './decide';
import type { Line, LineState } from './line';
import { reduce } from './reduce';

/** Something the person must be told: a key of the catalogue `game`, or a fault of the server. */
export type Notice = { key: string } | { fault: Fault };

/** How often to make sure that nothing was missed while waiting for somebody. */
const LOOK_MS = 10_000;
/** Refusals that say nothing about what was asked for, and how long to wait after one. */
const PASSING = new Set(['busy', 'restarting', 'internal', 'too_many']);
const AGAIN_MS = 1500;
/** A move that is not known to be kept is asked about again after this. */
const ASK_MS = 2500;

export class LiveGame {
  readonly id: string;
  /** Null until the first snapshot is there. */
  view = $state.raw<GameView | null>(null);
  pending = $state.raw<Pending | null>(null);
  notice = $state.raw<Notice | null>(null);
  /** The game does not exist, or may not be seen. */
  missing = $state(false);
  state = $state<LineState>('waiting');
  lag = $state<number | null>(null);

  private readonly line: Line;
  private readonly storage: Storage;
  private asking: ReturnType<typeof setTimeout> | undefined;
  private readonly endings: (() => void)[] = [];

  constructor(line: Line, id: string, storage: Storage, view: GameView | null = null) {
    this.line = line;
    this.id = id;
    this.storage = storage;
    this.view = view;
    this.pending = recall(storage, id);
    this.endings.push(
      line.listen((frame) => this.hear(frame)),
      line.observe(() => this.observe()),
    );
    this.observe();
    const looking = setInterval(() => this.look(), LOOK_MS);
    this.endings.push(() => clearInterval(looking));
    // With a move on its way only a snapshot says for certain where the game stands.
    line.watch(id, () => (this.pending ? undefined : this.view?.seq));
  }

  /** Leaves the game; what is on its way stays kept. */
  close(): void {
    for (const end of this.endings) end();
    clearTimeout(this.asking);
    this.line.unwatch(this.id);
    this.line.setLive(false);
  }

  /** Whether a house may be chosen now: one's turn, and nothing on its way. */
  get mayMove(): boolean {
    const { view } = this;
    return (
      view !== null &&
      view.status === 'playing' &&
      this.pending === null &&
      view.you.includes(view.state.to_move)
    );
  }

  /** The server's time. */
  now(): number {
    return this.line.time.now();
  }

  /** Plays a house. Nothing happens if it is not legal now or another move is on its way. */
  move(house: House): boolean {
    const { view } = this;
    if (!view || !this.mayMove) return false;
    if (!view.state.legal.some((trace) => trace.house === house)) return false;
    this.pending = {
      game: this.id,
      ply: view.plies.length + 1,
      position: view.state.position,
      house,
      id: newId(),
    };
    this.notice = null;
    keep(this.storage, this.id, this.pending);
    this.sendPending();
    return true;
  }

  offer(offer: OfferKind, side?: Side): Promise<boolean> {
    return this.act(side ? { action: 'offer', offer, side } : { action: 'offer', offer });
  }

  resign(side?: Side): Promise<boolean> {
    return this.act(side ? { action: 'resign', side } : { action: 'resign' });
  }

  /** Does anything but a move; true once the server has kept it. */
  async act(action: Action): Promise<boolean> {
    this.notice = null;
    try {
      await this.line.act(this.id, action);
      // Who one is in the game changes by joining; only a snapshot tells.
      if (action.action === 'join') this.line.askForSnapshot(this.id);
      return true;
    } catch (fault) {
      this.notice = { fault: fault as Fault };
      return false;
    }
  }

  /** A frame can be lost without the line breaking: whoever waits asks now and then. */
  private look(): void {
    const { view } = this;
    if (this.state !== 'open' || view?.status !== 'playing' || this.pending) return;
    if (!view.you.includes(view.state.to_move)) this.line.askFor(this.id);
  }

  private observe(): void {
    this.state = this.line.state;
    this.lag = this.line.lag;
  }

  private sendPending(): void {
    const { pending } = this;
    if (!pending) return;
    const move = { action: 'move', ply: pending.ply, house: pending.house } as const;
    const { lag } = this.line;
    this.line.move(this.id, lag === null ? move : { ...move, lag_ms: lag }, pending.id);
    clearTimeout(this.asking);
    // No word of it: a snapshot tells whether it has to be sent once more.
    this.asking = setTimeout(() => {
      if (this.pending === pending) this.line.askFor(this.id);
    }, ASK_MS);
  }

  private forget(): void {
    this.pending = null;
    keep(this.storage, this.id, null);
  }

  private hear(frame: ServerFrame): void {
    switch (frame.t) {
      case 'snapshot':
        if (frame.game.id === this.id) this.take(frame.game);
        return;
      case 'event':
        if (frame.game === this.id && this.view) this.follow(reduce(this.view, frame.event));
        return;
      case 'presence':
        if (frame.game === this.id && this.view) this.present(this.view, frame);
        return;
      case 'ack':
        // The event itself follows or came before; until then the move is shown as played.
        return;
      case 'refused':
        this.refused(frame);
        return;
    }
  }

  private follow(next: GameView | 'old' | 'gap'): void {
    if (next === 'old') return;
    if (next === 'gap') return this.line.askFor(this.id);
    const joined = next.log.at(-1)?.kind === 'joined' && next.plies.length === 0;
    this.show(next);
    if (joined) this.line.askForSnapshot(this.id);
  }

  private take(view: GameView): void {
    // A snapshot that was on its way while events came in is older than what is known.
    if (this.view && view.seq < this.view.seq) return;
    this.show(view);
  }

  private show(view: GameView): void {
    this.view = view;
    this.missing = false;
    const computer = view.south.kind === 'computer' || view.north.kind === 'computer';
    this.line.setLive(view.status === 'playing' && (view.time.kind === 'clock' || computer));
    const decision = decide(this.pending, view);
    if (decision === 'nothing') return;
    if (decision === 'send') return this.sendPending();
    this.forget();
    if (decision === 'drop') this.notice = { key: 'notice-move-dropped' };
  }

  private present(view: GameView, frame: ServerFrame & { t: 'presence' }): void {
    const [south, north] = frame.online;
    this.view = {
      ...view,
      watchers: frame.watchers,
      south: { ...view.south, online: south, claim_at: frame.claim_at[0] },
      north: { ...view.north, online: north, claim_at: frame.claim_at[1] },
    };
  }

  private refused(frame: ServerFrame & { t: 'refused' }): void {
    if (frame.id !== null && frame.id === this.pending?.id) {
      // The move is not kept. Where that is no fault of the move it is sent again, else the
      // board goes back.
      if (PASSING.has(frame.fault.code)) {
        setTimeout(() => this.line.askFor(this.id), AGAIN_MS);
        return;
      }
      this.forget();
      this.notice = { fault: frame.fault };
      this.line.askFor(this.id);
    } else if (frame.id === null && frame.game === this.id) {
      if (frame.fault.code === 'not_found' || frame.fault.code === 'forbidden') this.missing = true;
      else this.notice = { fault: frame.fault };
    }
  }
}
