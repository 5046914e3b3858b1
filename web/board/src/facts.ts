// What is said about a board, as data: from the words of rules and traces to the words of people.
// The languages are in the labels.

import type { BoardConfig } from './config';
import { HOUSES, ROW, numberOf, opponentOf, ownHouse, sideOf, storeIndex } from './houses';
import type { BoardFacts, HouseFacts, MoveFacts, Owner, PlaceFacts, ScoreFacts } from './labels';
import { countsAfter } from './preview';
import type { AskWhat, BoardPosition, Counts, ForbiddenReason, House, Side, Trace } from './types';

/** Whose a side is, as the person in front of the board sees it. */
export function ownerOf(side: Side, viewpoint: Side | null): Owner {
  if (viewpoint === null) return side;
  return side === viewpoint ? 'mine' : 'theirs';
}

export function placeFacts(house: House, viewpoint: Side | null): PlaceFacts {
  return { house, owner: ownerOf(sideOf(house), viewpoint), number: numberOf(house) };
}

/** The legal move that begins in a house. */
export function moveFrom(position: BoardPosition | null, house: House): Trace | null {
  return position?.legal.find((trace) => trace.house === house) ?? null;
}

export function reasonFor(position: BoardPosition | null, house: House): ForbiddenReason | null {
  return position?.forbidden.find((entry) => entry.house === house)?.reason ?? null;
}

/** Whether the person at this screen may move for the side whose turn it is. */
export function mayMove(position: BoardPosition | null, config: BoardConfig): boolean {
  if (!position || config.playable === 'none') return false;
  return config.playable === 'both' || config.playable === position.to_move;
}

/** Whether the person may play a house now. */
export function mayPlay(
  position: BoardPosition | null,
  config: BoardConfig,
  house: House,
): boolean {
  return mayMove(position, config) && moveFrom(position, house) !== null;
}

/** Own houses that hold seeds and cannot be played now. */
export function dimmedHouses(position: BoardPosition | null, config: BoardConfig): House[] {
  if (!position || !mayMove(position, config)) return [];
  return position.forbidden.filter((f) => f.reason !== 'empty').map((f) => f.house);
}

/** Both stores, the near one first. */
export function scoreFacts(counts: Counts, viewpoint: Side | null): [ScoreFacts, ScoreFacts] {
  const near = viewpoint ?? 'south';
  const fact = (side: Side): ScoreFacts => ({
    side,
    owner: ownerOf(side, viewpoint),
    seeds: counts.stores[storeIndex(side)],
  });
  return [fact(near), fact(opponentOf(near))];
}

/** Everything about a house. */
export function houseFacts(
  house: House,
  position: BoardPosition | null,
  config: BoardConfig,
  chosen: House | null,
): HouseFacts {
  const { viewpoint } = config;
  const playable = mayPlay(position, config, house);
  const trace = playable && config.preview ? moveFrom(position, house) : null;
  const mine = mayMove(position, config) && position?.to_move === sideOf(house);
  return {
    ...placeFacts(house, viewpoint),
    seeds: position?.houses[HOUSES.indexOf(house)] ?? 0,
    playable,
    move: trace && {
      last: placeFacts(trace.last, viewpoint),
      captured: trace.captured,
      grandSlam: trace.grand_slam,
    },
    reason: mine ? reasonFor(position, house) : null,
    marks: config.marks.filter((mark) => mark.house === house).map((mark) => mark.kind),
    chosen: chosen === house,
  };
}

export function moveFacts(trace: Trace, viewpoint: Side | null): MoveFacts {
  return {
    mover: ownerOf(trace.side, viewpoint),
    from: placeFacts(trace.house, viewpoint),
    last: placeFacts(trace.last, viewpoint),
    lifted: trace.lifted,
    captured: trace.captured,
    captures: trace.captures.map(({ house, seeds }) => ({
      place: placeFacts(house, viewpoint),
      seeds,
    })),
    grandSlam: trace.grand_slam,
    scores: scoreFacts(countsAfter(trace), viewpoint),
    ends: trace.ends,
  };
}

export function boardFacts(counts: Counts, viewpoint: Side | null): BoardFacts {
  const near = viewpoint ?? 'south';
  const row = (side: Side) => ({
    owner: ownerOf(side, viewpoint),
    seeds: Array.from({ length: ROW }, (_, i) => {
      return counts.houses[HOUSES.indexOf(ownHouse(side, i + 1))] ?? 0;
    }),
  });
  return { rows: [row(near), row(opponentOf(near))], scores: scoreFacts(counts, viewpoint) };
}

/** The board's own answer to a question, or null where only the host knows. */
export function answer(
  what: AskWhat,
  counts: Counts,
  last: Trace | null,
  config: BoardConfig,
): string | null {
  const { labels, viewpoint } = config;
  switch (what) {
    case 'board':
      return labels.summary(boardFacts(counts, viewpoint));
    case 'scores':
      return labels.scores(scoreFacts(counts, viewpoint));
    case 'last':
      return last ? labels.move(moveFacts(last, viewpoint)) : labels.noMove;
    default:
      return null;
  }
}

/**
 * What is said beside a house because it would look like a fault: that it cannot be played, and
 * what came of a grand slam. `asked` is the house somebody points at, `refused` the one that was
 * just tried, `told` the move that is previewed or was the last.
 */
export function explanation(
  position: BoardPosition | null,
  config: BoardConfig,
  asked: House | null,
  refused: House | null,
  told: Trace | null,
): { words: string; house: House } | null {
  const { labels } = config;
  if (asked && mayMove(position, config) && sideOf(asked) === position?.to_move) {
    const reason = reasonFor(position, asked);
    // That a house is empty can be seen; it is said only to who tries to play it.
    if (reason && (reason !== 'empty' || refused === asked)) {
      return { words: labels.reason(reason), house: asked };
    }
  }
  const slam = told?.grand_slam;
  return told && slam ? { words: labels.grandSlam(slam), house: told.last } : null;
}
