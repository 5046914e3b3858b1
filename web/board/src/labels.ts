// Every word the board shows or says. A host gives these in its own language; the English ones
// here make the element usable by itself.

import type { ForbiddenReason, GrandSlamOutcome, House, MarkKind, Side } from './types';

/** Whose house or store something is, as the person in front of the board sees it. */
export type Owner = 'mine' | 'theirs' | 'south' | 'north';

export interface HouseFacts {
  house: House;
  owner: Owner;
  /** 1 to 6 from its owner's left. */
  number: number;
  seeds: number;
  /** Whether the person may play it now. */
  playable: boolean;
  /** Where a legal move from here ends and what it takes; null if it is not legal now. */
  move: { last: PlaceFacts; captured: number; grandSlam: GrandSlamOutcome | null } | null;
  /** Why the house cannot be played, where the host has said so. */
  reason: ForbiddenReason | null;
  /** What the host has marked it with. */
  marks: MarkKind[];
  /** Chosen, and waiting to be confirmed. */
  chosen: boolean;
}

export interface PlaceFacts {
  house: House;
  owner: Owner;
  number: number;
}

export interface MoveFacts {
  mover: Owner;
  from: PlaceFacts;
  last: PlaceFacts;
  lifted: number;
  captured: number;
  /** Captured houses, in the order of capture. */
  captures: { place: PlaceFacts; seeds: number }[];
  grandSlam: GrandSlamOutcome | null;
  /** Stores after the move; the person's own (or South's) first. */
  scores: [ScoreFacts, ScoreFacts];
  /** The reason of the end, if the move ends the game. */
  ends: string | null;
}

export interface ScoreFacts {
  owner: Owner;
  side: Side;
  seeds: number;
}

export interface BoardFacts {
  /** Own (or South's) row first, each from its owner's left. */
  rows: [{ owner: Owner; seeds: number[] }, { owner: Owner; seeds: number[] }];
  scores: [ScoreFacts, ScoreFacts];
}

export interface BoardLabels {
  /** The name of the grid. */
  board: string;
  row(owner: Owner): string;
  house(facts: HouseFacts): string;
  reason(reason: ForbiddenReason): string;
  /** Why a grand slam was played as it was; shown and spoken where it strikes. */
  grandSlam(outcome: GrandSlamOutcome): string;
  /** The one sentence that tells a move. */
  move(facts: MoveFacts): string;
  /** Answers to the keys b, s and l. */
  summary(facts: BoardFacts): string;
  scores(scores: [ScoreFacts, ScoreFacts]): string;
  noMove: string;
  /** The name of a small picture of a board. */
  mini(scores: [ScoreFacts, ScoreFacts]): string;
}

const OWNERS: Record<Owner, string> = {
  mine: 'your',
  theirs: "opponent's",
  south: "South's",
  north: "North's",
};

const PLAYERS: Record<Owner, string> = {
  mine: 'you',
  theirs: 'opponent',
  south: 'South',
  north: 'North',
};

const REASONS: Record<ForbiddenReason, string> = {
  empty: 'empty',
  must_feed: 'not now: your opponent has no seeds and this move gives none',
  grand_slam: 'not allowed: it would take every seed of your opponent',
  leaves_no_seed: 'not allowed: it would leave your opponent no seed',
};

const SLAMS: Record<GrandSlamOutcome, string> = {
  nothing_captured: 'it would take everything, so nothing is captured',
  opponent_took_rest: 'it takes everything, so the rest goes to the opponent',
  kept: 'it would take everything, so one house is left',
  captured_all: 'it takes everything',
};

const MARKS: Record<MarkKind, string> = {
  hint: 'suggested',
  good: 'good',
  bad: 'a mistake',
  look: 'look here',
  arrow: 'an arrow starts here',
};

function seeds(n: number): string {
  return n === 1 ? '1 seed' : `${n} seeds`;
}

function place(at: PlaceFacts): string {
  return `${OWNERS[at.owner]} house ${at.number}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function score(facts: ScoreFacts): string {
  return `${PLAYERS[facts.owner]} ${facts.seeds}`;
}

export const ENGLISH: BoardLabels = {
  board: 'Oware board',
  row: (owner) => `${OWNERS[owner]} row`,
  house(facts) {
    const parts = [`${place(facts)}, ${seeds(facts.seeds)}`];
    if (facts.chosen) parts.push('chosen');
    if (facts.playable) parts.push('can play');
    if (facts.move) {
      parts.push(`lands in ${place(facts.move.last)}`);
      if (facts.move.captured > 0) parts.push(`takes ${facts.move.captured}`);
      if (facts.move.grandSlam) parts.push(SLAMS[facts.move.grandSlam]);
    }
    if (facts.reason && facts.reason !== 'empty') parts.push(REASONS[facts.reason]);
    parts.push(...facts.marks.map((kind) => MARKS[kind]));
    return parts.join(', ');
  },
  reason: (reason) => REASONS[reason],
  grandSlam: (outcome) => capital(SLAMS[outcome]),
  move(facts) {
    const parts = [
      `${capital(PLAYERS[facts.mover])} played house ${facts.from.number}, ${seeds(facts.lifted)}`,
      `ending in ${place(facts.last)}`,
    ];
    if (facts.captured > 0) parts.push(`taking ${facts.captured}`);
    if (facts.grandSlam) parts.push(SLAMS[facts.grandSlam]);
    parts.push(facts.scores.map(score).join(', '));
    if (facts.ends) parts.push('the game is over');
    return `${parts.join(', ')}.`;
  },
  summary(facts) {
    const rows = facts.rows.map((row) => `${OWNERS[row.owner]} row ${row.seeds.join(' ')}`);
    return `${capital(rows.join('; '))}; ${facts.scores.map(score).join(', ')}.`;
  },
  scores: (scores) => `${capital(scores.map(score).join(', '))}.`,
  noMove: 'No move has been played yet.',
  mini: (scores) => `Board, ${scores.map(score).join(', ')}`,
};
