// The data a host hands to the board and gets back from it. The board knows no rules: whatever
// follows from them (legal moves, the way of the seeds, reasons) arrives in these shapes.

export type Side = 'south' | 'north';

/** A..F are South's houses from his left to his right, a..f North's from his left to his right. */
export type House = 'A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'a' | 'b' | 'c' | 'd' | 'e' | 'f';

/** One step of a move, in the order in which hands would do it. */
export type Step =
  | { step: 'lift'; house: House; seeds: number }
  | { step: 'skip'; house: House }
  | { step: 'sow'; house: House; now: number }
  | { step: 'capture'; house: House; seeds: number; to: Side }
  | { step: 'spare'; house: House; seeds: number }
  | { step: 'collect'; house: House; seeds: number; to: Side };

export type GrandSlamOutcome = 'nothing_captured' | 'opponent_took_rest' | 'kept' | 'captured_all';

/** Everything a move does, told step by step. */
export interface Trace {
  house: House;
  side: Side;
  /** Seeds lifted. */
  lifted: number;
  /** Where the last seed falls. */
  last: House;
  /** How often the sowing comes round and leaves out the house of origin. */
  laps: number;
  captured: number;
  /** Seeds handed to the opponent by a grand slam. */
  given: number;
  grand_slam: GrandSlamOutcome | null;
  captures: { house: House; seeds: number }[];
  steps: Step[];
  /** The sharing out at the end of the game, if the move ends it. */
  sharing: Step[];
  /** The twelve houses after the move, A..F, a..f, before the sharing out. */
  houses: number[];
  /** South's and North's store after the move, before the sharing out. */
  stores: [number, number];
  /** The reason of the end, if the move ends the game. */
  ends: string | null;
}

export type ForbiddenReason = 'empty' | 'must_feed' | 'grand_slam' | 'leaves_no_seed';

export interface BoardPosition {
  /** Seeds in A..F, a..f. */
  houses: number[];
  /** Seeds in South's and North's store. */
  stores: [number, number];
  to_move: Side;
  legal: Trace[];
  forbidden: { house: House; reason: ForbiddenReason }[];
}

/** What is on show: the counts of houses (A..F, a..f) and stores (South, North). */
export interface Counts {
  houses: number[];
  stores: [number, number];
}

export type LayoutName = 'horizontal' | 'vertical';
export type ThemeName = 'wood' | 'wood-dark' | 'folding' | 'ground' | 'contrast' | 'numbers';
export type SeedName = 'nickernuts' | 'marbles' | 'cowries' | 'pebbles' | 'flat';
export type SpeedName = 'off' | 'fast' | 'normal' | 'slow' | 'teaching';
export type CountsMode = 'always' | 'request' | 'above' | 'never';

/** What a host may draw on a house for lessons and hints; `arrow` needs `to`. */
export type MarkKind = 'hint' | 'good' | 'bad' | 'look' | 'arrow';

export interface Mark {
  house: House;
  kind: MarkKind;
  to?: House;
}

/** What a person can ask for by a key. */
export type AskWhat = 'board' | 'scores' | 'last' | 'clocks' | 'moves' | 'evaluation';

export type SoundName = 'lift' | 'seed' | 'capture' | 'turn' | 'low' | 'end' | 'refuse';
