// Our types beside those of the API's description: nothing here runs, the compiler does the work.
// Ours may be narrower (a house is one of twelve letters), but have the same fields.

import type { components } from '../src/api/schema';
import type * as ours from '../src/api/types';

type Theirs = components['schemas'];
type Keys<T> = T extends unknown ? keyof T : never;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Fits<Ours extends Theirs, Theirs> = Same<Keys<Ours>, Keys<Theirs>>;

/** One line for each type; a field that is missing or of another type is an error in its line. */
export type Compared = [
  Fits<ours.Action, Theirs['Action']>,
  Fits<ours.ClientFrame, Theirs['ClientFrame']>,
  Fits<ours.ClockView, Theirs['ClockView']>,
  Fits<ours.Ending, Theirs['Ending']>,
  Fits<ours.Fault, Theirs['Fault']>,
  Fits<ours.GameEvent, Theirs['GameEvent']>,
  Fits<ours.GameSummary, Theirs['GameSummary']>,
  Fits<ours.GameView, Theirs['GameView']>,
  Fits<ours.Happening, Theirs['Happening']>,
  Fits<ours.MatchView, Theirs['MatchView']>,
  Fits<ours.NewGame, Theirs['NewGame']>,
  Fits<ours.Opponent, Theirs['Opponent']>,
  Fits<ours.PlyView, Theirs['PlyView']>,
  Fits<ours.PositionAnswer, Theirs['PositionAnswer']>,
  Fits<ours.PositionRequest, Theirs['PositionRequest']>,
  Fits<ours.PositionView, Theirs['PositionView']>,
  Fits<ours.PresetView, Theirs['PresetView']>,
  Fits<ours.Seat, Theirs['Seat']>,
  Fits<ours.ServerFrame, Theirs['ServerFrame']>,
  Fits<ours.Step, Theirs['Step']>,
  Fits<ours.TimeControl, Theirs['TimeControl']>,
  Fits<ours.Trace, Theirs['Trace']>,
];

type AllTrue<T extends readonly true[]> = T;
export type Checked = AllTrue<Compared>;
