// The board's words, from the catalogue `board`. Texts that join facts are put together here from
// phrases, so that each language orders and separates them in its own way.

import type {
  BoardFacts,
  BoardLabels,
  HouseFacts,
  MoveFacts,
  PlaceFacts,
  ScoreFacts,
} from '../../board/src/labels';
import { t, type Language } from '../i18n.svelte';

function place(at: PlaceFacts): string {
  return t('board-place', { owner: at.owner, number: at.number });
}

function score(facts: ScoreFacts): string {
  return t('board-score', { owner: facts.owner, seeds: facts.seeds });
}

function list(parts: readonly string[]): string {
  return parts.join(t('board-separator.text'));
}

/** A sentence begins with a capital where the script has them. */
function sentence(parts: readonly string[]): string {
  const text = list(parts);
  return text.charAt(0).toUpperCase() + text.slice(1) + t('board-separator.end');
}

function house(facts: HouseFacts): string {
  const parts = [
    t('board-house', { owner: facts.owner, number: facts.number, seeds: facts.seeds }),
  ];
  if (facts.chosen) parts.push(t('board-chosen'));
  if (facts.playable) parts.push(t('board-can-play'));
  if (facts.move) {
    parts.push(t('board-lands', { place: place(facts.move.last) }));
    if (facts.move.captured > 0) parts.push(t('board-takes', { seeds: facts.move.captured }));
    if (facts.move.grandSlam) parts.push(t(`board-slam-${facts.move.grandSlam}`));
  }
  if (facts.reason && facts.reason !== 'empty') parts.push(t(`board-reason-${facts.reason}`));
  parts.push(...facts.marks.map((kind) => t(`board-mark-${kind}`)));
  return list(parts);
}

function move(facts: MoveFacts): string {
  const parts = [
    t('board-moved', { owner: facts.mover, number: facts.from.number, seeds: facts.lifted }),
    t('board-ended-in', { place: place(facts.last) }),
  ];
  if (facts.captured > 0) parts.push(t('board-took', { seeds: facts.captured }));
  if (facts.grandSlam) parts.push(t(`board-slam-${facts.grandSlam}`));
  parts.push(...facts.scores.map(score));
  if (facts.ends) parts.push(t('board-over'));
  return sentence(parts);
}

function summary(facts: BoardFacts): string {
  const rows = facts.rows.map((row) =>
    t('board-row-seeds', { owner: row.owner, seeds: row.seeds.join(' ') }),
  );
  return sentence([...rows, ...facts.scores.map(score)]);
}

/** Labels in the language that is spoken; it is named only so that they are made anew with it. */
export function boardLabels(_: Language): BoardLabels {
  return {
    board: t('board-name'),
    row: (owner) => t('board-row', { owner }),
    house,
    reason: (reason) => t(`board-reason-${reason}`),
    grandSlam: (outcome) => t(`board-slam-${outcome}`),
    move,
    summary,
    scores: (scores) => sentence(scores.map(score)),
    noMove: t('board-no-move'),
    mini: (scores) => list([t('board-name'), ...scores.map(score)]),
  };
}
