// What the analysis page knows: the tree, where in it we are, the positions seen so far, and what
// the engine and the tables say of the present one.

import { ApiFault, lines, post } from '../../api/client';
import type { AnalysisEvent, MoveValue, ProbeAnswer } from '../../api/study';
import type { House, PositionAnswer, PositionView, Trace } from '../../api/types';
import { after, type Shown } from '../../live/optimistic';
import { faultText } from '../../texts';
import { add, addLine, empty, moves, path, step, type Tree } from './tree';

/** How long the engine looks at a position, in milliseconds: the most the server allows. */
const TIME_MS = 30_000;

interface Known {
  position: PositionView;
  last: Trace | null;
  /** Whether legal moves are known: a position that was only passed has none. */
  whole: boolean;
}

export interface Engine {
  moves: MoveValue[];
  depth: number;
  nodes: number;
  running: boolean;
}

/** The server's own words where they say what in the moves or the position is wrong. */
function messageOf(error: unknown): string {
  if (!(error instanceof ApiFault)) return String(error);
  return error.fault.code === 'bad_field' ? error.fault.message : faultText(error.fault);
}

export class Study {
  tree = $state.raw<Tree>(empty());
  at = $state(0);
  fault = $state('');
  engineOn = $state(false);
  lineCount = $state(3);
  engine = $state.raw<Engine | null>(null);
  tables = $state.raw<ProbeAnswer | null>(null);

  #known = $state.raw<ReadonlyMap<number, Known>>(new Map());
  #before: Shown | null = null;
  #asking: AbortController | null = null;
  #closed = false;

  /** What the board shows: the present position, or the one before while that is on its way;
   * null until the first has come. */
  get shown(): Shown | null {
    const known = this.#known.get(this.at);
    if (!known) return this.#before;
    return { ply: path(this.tree, this.at).length, position: known.position, last: known.last };
  }

  /** Whether the present position came with its moves. */
  get ready(): boolean {
    return this.#known.get(this.at)?.whole ?? false;
  }

  /** Begins with another tree. The positions of the old one are forgotten. */
  async open(tree: Tree, at = 0): Promise<void> {
    this.stop();
    this.fault = '';
    this.tree = tree;
    this.at = at;
    this.#known = new Map();
    this.#before = null;
    await this.#look();
  }

  /** Changes words and order; the moves that are left are the same. */
  change(tree: Tree): void {
    this.tree = tree;
    if (this.at !== 0 && !tree.nodes.has(this.at)) this.go(0);
  }

  go(id: number): void {
    if (id === this.at) return;
    const { shown } = this;
    this.#before = shown && {
      ...shown,
      position: { ...shown.position, legal: [], forbidden: [] },
    };
    this.at = id;
    if (this.#known.has(id)) this.fault = '';
    void this.#look();
  }

  walk(way: 'back' | 'on' | 'before' | 'behind'): void {
    this.go(step(this.tree, this.at, way));
  }

  /** Plays a house in the present position; the tree grows if it is new. */
  play(house: House): void {
    const known = this.#known.get(this.at);
    const trace = known?.position.legal.find((one) => one.house === house);
    if (!known || !trace) return;
    const { tree, id } = add(this.tree, this.at, house);
    this.tree = tree;
    if (!this.#known.has(id)) {
      this.#learn(id, { position: after(known.position, trace), last: trace, whole: false });
    }
    this.go(id);
  }

  /** Adds a line of the engine to the tree, and goes to its first move. */
  follow(line: string): void {
    const grown = addLine(this.tree, this.at, [...line] as House[]);
    this.tree = grown.tree;
    const [first] = [...line] as House[];
    if (first) this.go(add(grown.tree, this.at, first).id);
  }

  toggleEngine(on: boolean): void {
    this.engineOn = on;
    if (on) void this.#think();
    else this.#quiet();
  }

  setLines(count: number): void {
    this.lineCount = count;
    if (this.engineOn) void this.#think();
  }

  /** Ends what runs; for leaving the page. */
  close(): void {
    this.#closed = true;
    this.#quiet();
  }

  stop(): void {
    this.#quiet();
    this.engine = null;
    this.tables = null;
  }

  request(id = this.at): { rules: string; start: string; moves: string } {
    return { rules: this.tree.rules, start: this.tree.start, moves: moves(this.tree, id) };
  }

  #learn(id: number, known: Known): void {
    const before = this.#known.get(id);
    if (before?.whole && !known.whole) return;
    this.#known = new Map(this.#known).set(id, known);
  }

  /** Asks for the present position, if it is not known whole, and has it looked at. */
  async #look(): Promise<void> {
    this.stop();
    const { at, tree } = this;
    if (!this.ready) {
      try {
        const answer = await post<PositionAnswer>('/position', this.request(at));
        if (this.#closed) return;
        this.#take(tree, at, answer);
      } catch (error) {
        if (this.at !== at || this.#closed) return;
        this.fault = messageOf(error);
        // A line that cannot be played (out of a link, say) still has a first position.
        if (at !== 0) this.go(0);
        return;
      }
    }
    // Somebody may have gone on meanwhile: then that position looks after itself.
    if (this.at !== at) return;
    void this.#probe();
    if (this.engineOn) void this.#think();
  }

  /** Keeps all positions on the way that an answer tells of. */
  #take(tree: Tree, at: number, answer: PositionAnswer): void {
    if (!this.#known.has(0)) {
      const whole = answer.plies.length === 0;
      this.#learn(0, {
        position: answer.start,
        last: null,
        whole: whole || answer.start.legal.length > 0,
      });
    }
    let position = answer.start;
    path(tree, at).forEach((node, index) => {
      const ply = answer.plies[index];
      if (!ply) return;
      position = after(position, ply.trace);
      const isLast = index === answer.plies.length - 1;
      const known = { position: isLast ? answer.state : position, last: ply.trace, whole: isLast };
      this.#learn(node.id, known);
    });
  }

  async #probe(): Promise<void> {
    const { at } = this;
    try {
      const answer = await post<ProbeAnswer>('/probe', this.request());
      if (this.at === at && !this.#closed) this.tables = answer;
    } catch (error) {
      // Without tables the page is still of use; only what forbids it is worth a word.
      if (error instanceof ApiFault && error.status === 403) this.fault = messageOf(error);
    }
  }

  #quiet(): void {
    this.#asking?.abort();
    this.#asking = null;
    if (this.engine) this.engine = { ...this.engine, running: false };
  }

  async #think(): Promise<void> {
    this.#quiet();
    const control = new AbortController();
    this.#asking = control;
    this.engine = { moves: [], depth: 0, nodes: 0, running: true };
    const hear = (event: AnalysisEvent): void => {
      if (this.#asking !== control) return;
      if (event.kind === 'failed') this.fault = faultText(event.fault);
      if (event.kind !== 'depth' && event.kind !== 'done') return;
      const depth = event.kind === 'depth' ? event.depth : (this.engine?.depth ?? 0);
      const running = event.kind === 'depth';
      this.engine = { moves: event.moves, depth, nodes: event.nodes, running };
    };
    const request = { ...this.request(), lines: this.lineCount, milliseconds: TIME_MS };
    try {
      await lines<AnalysisEvent>('/analysis', request, hear, control.signal);
    } catch (error) {
      if (!control.signal.aborted) this.fault = messageOf(error);
    } finally {
      if (this.#asking === control) this.#quiet();
    }
  }
}
