// What an event does to the picture of a game. Pure: a game seen from its events is the game the
// server sends as a snapshot.

import type { GameEvent, GameView, Side } from '../api/types';

export function other(side: Side): Side {
  return side === 'south' ? 'north' : 'south';
}

/**
 * The game after an event. `old` events change nothing, after a `gap` the caller has to ask for
 * what is missing.
 */
export function reduce(view: GameView, event: GameEvent): GameView | 'old' | 'gap' {
  if (event.seq <= view.seq) return 'old';
  if (event.seq > view.seq + 1) return 'gap';
  const next = happen(view, event);
  const told = event.kind === 'moved' ? next.log : [...next.log, event];
  return { ...next, seq: event.seq, log: told };
}

function happen(view: GameView, event: GameEvent): GameView {
  switch (event.kind) {
    case 'joined':
      return { ...view, status: 'playing', [event.side]: event.seat };
    case 'moved':
      return {
        ...view,
        plies: [...view.plies, event.ply],
        state: event.state,
        clock: event.clock,
        // An offer lapses by a move.
        offer: null,
      };
    case 'offered':
      return { ...view, offer: { by: event.by, offer: event.offer } };
    case 'declined':
      return { ...view, offer: null };
    case 'taken_back':
      return {
        ...view,
        plies: view.plies.slice(0, Math.max(0, view.plies.length - event.plies)),
        state: event.state,
        clock: event.clock,
        offer: null,
      };
    case 'ended':
      return {
        ...view,
        status: 'over',
        state: { ...event.state, ending: event.ending },
        clock: event.clock,
        offer: null,
        south: changed(view.south, event.rating_change?.[0]),
        north: changed(view.north, event.rating_change?.[1]),
      };
    case 'clock_shifted':
      return { ...view, clock: event.clock };
    case 'said':
      return view;
    case 'rematch_wished':
      return view.rematch_wishes.includes(event.by)
        ? view
        : { ...view, rematch_wishes: [...view.rematch_wishes, event.by] };
    case 'next':
      if (event.rematch) return { ...view, rematch: event.game };
      return view.match ? { ...view, match: { ...view.match, next: event.game } } : view;
  }
}

function changed(seat: GameView['south'], by: number | undefined): GameView['south'] {
  return by === undefined ? seat : { ...seat, rating_change: by };
}
