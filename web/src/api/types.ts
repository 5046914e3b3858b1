// The types of the wire, as `crates/oware-server/src/wire` defines them. Their meaning is written
// there; what is not obvious is repeated here.

export type Side = 'south' | 'north';
export type House = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'a' | 'b' | 'c' | 'd' | 'e' | 'f';

export type Step =
  | { step: 'lift'; house: House; seeds: number }
  | { step: 'skip'; house: House }
  | { step: 'sow'; house: House; now: number }
  | { step: 'capture'; house: House; seeds: number; to: Side }
  | { step: 'spare'; house: House; seeds: number }
  | { step: 'collect'; house: House; seeds: number; to: Side };

export type GrandSlam = 'nothing_captured' | 'opponent_took_rest' | 'kept' | 'captured_all';

export interface Trace {
  house: House;
  side: Side;
  lifted: number;
  last: House;
  laps: number;
  captured: number;
  given: number;
  grand_slam: GrandSlam | null;
  captures: { house: House; seeds: number }[];
  steps: Step[];
  sharing: Step[];
  houses: number[];
  stores: [number, number];
  ends: string | null;
}

export type ForbiddenReason = 'empty' | 'must_feed' | 'grand_slam' | 'leaves_no_seed';

export interface Ending {
  reason: string;
  score: [number, number];
  winner: Side | null;
}

export interface PositionView {
  position: string;
  houses: number[];
  stores: [number, number];
  to_move: Side;
  legal: Trace[];
  forbidden: { house: House; reason: ForbiddenReason }[];
  occurrences: number;
  capture_free: number;
  ending: Ending | null;
}

export interface PlyView {
  ply: number;
  trace: Trace;
  played_at: number;
  spent_ms: number | null;
}

export interface PositionRequest {
  rules?: string;
  start?: string;
  moves?: string;
}

export interface PositionAnswer {
  rules: string;
  start: PositionView;
  plies: PlyView[];
  state: PositionView;
}

export interface PresetView {
  name: string;
  summary: string;
  fields: [string, string][];
}

export type TimeControl =
  | { kind: 'unlimited' }
  | { kind: 'clock'; initial_s: number; increment_s: number }
  | { kind: 'days'; days: number };

export type Pace = 'blitz' | 'rapid' | 'slow' | 'correspondence';

export type Opponent =
  | { kind: 'computer'; level: number }
  | { kind: 'same_device' }
  | { kind: 'link' }
  | { kind: 'anybody' }
  | { kind: 'player'; name: string };

export type SeatWish = 'south' | 'north' | 'random';
export type CountsWish = 'free' | 'never';

export interface NewGame {
  opponent: Opponent;
  seat?: SeatWish;
  rules?: string;
  start?: string;
  time?: TimeControl;
  rated?: boolean;
  counts?: CountsWish;
  games?: number;
}

export interface Seat {
  kind: 'person' | 'computer' | 'open';
  name: string | null;
  level: number | null;
  rating: number | null;
  provisional: boolean;
  rating_change: number | null;
  online: boolean;
  claim_at: number | null;
}

export type Status = 'waiting' | 'playing' | 'over';

export interface ClockView {
  left_ms: [number, number];
  running: Side | null;
  at: number;
}

export type OfferKind = 'draw' | 'loop' | 'takeback';

export interface MatchView {
  id: string;
  game: number;
  games: number;
  points: [number, number];
  seeds: [number, number];
  next: string | null;
}

export interface GameView {
  id: string;
  seq: number;
  status: Status;
  rules: string;
  preset: string | null;
  time: TimeControl;
  pace: Pace | null;
  rated: boolean;
  counts: CountsWish;
  south: Seat;
  north: Seat;
  you: Side[];
  start: PositionView;
  plies: PlyView[];
  state: PositionView;
  clock: ClockView | null;
  offer: { by: Side; offer: OfferKind } | null;
  match: MatchView | null;
  rematch: string | null;
  rematch_wishes: Side[];
  created_at: number;
  watchers: number;
  log: GameEvent[];
}

export type Happening =
  | { kind: 'joined'; side: Side; seat: Seat }
  | {
      kind: 'moved';
      ply: PlyView;
      state: PositionView;
      clock: ClockView | null;
      id: string;
      lag_ms: number;
    }
  | { kind: 'offered'; by: Side; offer: OfferKind }
  | { kind: 'declined'; by: Side; offer: OfferKind }
  | { kind: 'taken_back'; plies: number; state: PositionView; clock: ClockView | null }
  | {
      kind: 'ended';
      ending: Ending;
      by: Side | null;
      state: PositionView;
      clock: ClockView | null;
      rating_change: [number, number] | null;
    }
  | { kind: 'clock_shifted'; away_ms: number; gift_ms: number; clock: ClockView | null }
  | { kind: 'said'; by: Side; phrase: string }
  | { kind: 'rematch_wished'; by: Side }
  | { kind: 'next'; game: string; rematch: boolean };

export type GameEvent = { seq: number; at: number } & Happening;

export const PHRASES = [
  'hello',
  'good_luck',
  'have_fun',
  'well_played',
  'nice_move',
  'thanks',
  'sorry',
  'oops',
  'one_moment',
  'goodbye',
] as const;

export type Action =
  | { action: 'join' }
  | { action: 'move'; ply: number; house: House; lag_ms?: number }
  | { action: 'offer'; offer: OfferKind; side?: Side }
  | { action: 'accept' }
  | { action: 'decline' }
  | { action: 'resign'; side?: Side }
  | { action: 'abort' }
  | { action: 'claim' }
  | { action: 'say'; phrase: string }
  | { action: 'rematch' };

export interface GameSummary {
  id: string;
  status: Status;
  rules: string;
  time: TimeControl;
  rated: boolean;
  south: Seat;
  north: Seat;
  you: Side[];
  plies: number;
  position: string;
  to_move: Side;
  due_at: number | null;
  ending: Ending | null;
  games: number;
  created_at: number;
  updated_at: number;
}

export interface Me {
  player: string;
  name: string | null;
  admin: boolean;
  language: string | null;
  turns: number;
  announcement: string | null;
  restart_at: number | null;
}

export interface SessionView {
  id: string;
  agent: string;
  created_at: number;
  seen_at: number;
  current: boolean;
}

export interface RatingView {
  pace: Pace;
  rating: number;
  deviation: number;
  provisional: boolean;
  games: number;
}

export interface Profile {
  name: string;
  created_at: number;
  ratings: RatingView[];
  results: [number, number, number];
  blocked: boolean;
  muted: boolean;
}

export interface RatingPoint {
  game: string;
  rating: number;
  at: number;
}

export interface Leader {
  name: string;
  rating: RatingView;
}

export interface RelationView {
  name: string;
  blocked: boolean;
  muted: boolean;
}

export interface ReportView {
  id: string;
  by: string | null;
  about: string | null;
  game: string | null;
  reason: string;
  at: number;
}

export interface Fault {
  code: string;
  field?: string;
  message: string;
}

export type ClientFrame =
  | { t: 'watch'; game: string; seq?: number }
  | { t: 'unwatch'; game: string }
  | ({ t: 'act'; id: string; game: string } & Action)
  | { t: 'lobby'; on: boolean }
  | { t: 'ping'; n: number };

export type ServerFrame =
  | { t: 'hello'; now: number; boot: string; version: string }
  | { t: 'snapshot'; game: GameView }
  | { t: 'event'; game: string; event: GameEvent }
  | {
      t: 'presence';
      game: string;
      online: [boolean, boolean];
      claim_at: [number | null, number | null];
      watchers: number;
    }
  | { t: 'ack'; id: string; game: string; seq: number }
  | { t: 'refused'; id: string | null; game: string | null; fault: Fault }
  | { t: 'lobby'; seeks: GameSummary[]; people: number }
  | { t: 'turn'; game: string; to_move: Side | null }
  | { t: 'announcement'; text: string | null; restart_at: number | null }
  | { t: 'restarting' }
  | { t: 'revoked' }
  | { t: 'pong'; n: number; now: number; lag_ms: number | null };
