// The types of the wire for analysis, endgame tables, conversions and puzzles, as
// `crates/oware-server/src/wire/{study,puzzle}.rs` define them.

import type { Fault, House, PlyView, PositionView, Side } from './types';

export type KnownBy = 'ending' | 'exact' | 'if_even' | 'complete' | 'complete_if_even' | 'search';

export type ResultOf = 'win' | 'draw' | 'loss';

/** A move with what it is worth to the player who makes it, in seeds. */
export interface MoveValue {
  house: House;
  captured: number;
  value: number;
  bound: 'exact' | 'lower' | 'upper';
  known: KnownBy;
  depth: number | null;
  proven: ResultOf | null;
  least: number | null;
  most: number | null;
  past: boolean;
  chances: [number, number, number];
  line: string;
}

/** A value by each convention; null where a table is missing. */
export interface Values {
  even: number | null;
  low: number | null;
  high: number | null;
}

export type Claim =
  | { claim: 'exact'; ahead: number; even_loops: boolean }
  | { claim: 'win'; least: number }
  | { claim: 'loss'; least: number }
  | { claim: 'if_even'; ahead: number }
  | { claim: 'unknown' };

export type ProbeAnswer = Claim & {
  position: string;
  seeds: number;
  layers: number | null;
  values: Values;
  distance: Values;
  lead: number;
  past: boolean;
  moves: { house: House; captured: number; values: Values }[];
  line: string;
};

export type AnalysisEvent =
  | ({ kind: 'tables' } & ProbeAnswer)
  | { kind: 'depth'; depth: number; moves: MoveValue[]; nodes: number; elapsed_ms: number }
  | { kind: 'done'; moves: MoveValue[]; nodes: number; elapsed_ms: number }
  | { kind: 'failed'; fault: Fault };

export type Effort = 'quick' | 'normal' | 'deep';
export const LABELS = ['best', 'good', 'inaccuracy', 'mistake', 'blunder'] as const;
export type Label = (typeof LABELS)[number];

export interface Point {
  south: number;
  chances: [number, number, number];
}

export interface ReportPly {
  ply: number;
  side: Side;
  forced: boolean;
  played: MoveValue;
  best: MoveValue;
  lost: number;
  label: Label;
  point: Point;
}

export interface PlayerReport {
  moves: number;
  choices: number;
  counts: [number, number, number, number, number];
  lost: number;
  accuracy: number | null;
}

export interface GameReport {
  start: Point | null;
  plies: ReportPly[];
  players: [PlayerReport, PlayerReport];
  nodes: number;
  elapsed_ms: number;
}

export type ReportEvent =
  | { kind: 'progress'; done: number; of: number }
  | ({ kind: 'done' } & GameReport)
  | { kind: 'failed'; fault: Fault };

export interface WireNode {
  parent: number;
  house: House;
  comment: string;
  mark: string;
}

export interface WireTree {
  rules: string | null;
  start: string | null;
  tags: [string, string][];
  comment: string;
  nodes: WireNode[];
}

export interface ReadAnswer {
  kind: 'tree';
  form: 'position' | 'moves' | 'record';
  tree: WireTree;
  state: PositionView;
  fault: string | null;
}

export interface WrittenAnswer {
  kind: 'texts';
  ogn: string;
  moves: string;
  positions: [string, string][];
}

export type PuzzleGoal = 'win' | 'draw';

export const THEMES = [
  'capture',
  'quiet',
  'temptation',
  'sacrifice',
  'feed',
  'starve',
  'grand_slam',
  'escape',
  'long',
] as const;
export type Theme = (typeof THEMES)[number];

export interface PuzzleSummary {
  id: string;
  position: string;
  goal: PuzzleGoal;
  difficulty: number;
  themes: Theme[];
  moves: number;
}

export interface PuzzleView extends PuzzleSummary {
  state: PositionView;
}

export interface PuzzleVerdict {
  right: boolean;
  solved: boolean;
  ply: PlyView;
  state: PositionView;
  line: PlyView[];
  after: PositionView;
  result: ResultOf | null;
  most: number | null;
}

export interface PuzzleSolution {
  plies: PlyView[];
  state: PositionView;
}
