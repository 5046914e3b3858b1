// Texts that several pages put together from facts.

import type { Ending, Fault, Seat, Side, TimeControl } from './api/types';
import { has, language, t } from './i18n.svelte';

/** A refusal in the reader's words; the server's own English where we have none. */
export function faultText(fault: Fault): string {
  const field = fault.field ? `fault-field-${fault.field.replace(/[^a-z]/g, '-')}` : '';
  if (field && has(field)) return t(field);
  const key = `fault-${fault.code.replaceAll('_', '-')}`;
  return has(key) ? t(key) : t('fault-other', { message: fault.message });
}

/** Who sits somewhere. `you` says that it is the person here, and alone. */
export function seatName(seat: Seat, side: Side, you: boolean): string {
  if (seat.kind === 'computer') return t('seat-computer', { level: seat.level ?? 0 });
  if (seat.kind === 'open') return t('seat-open');
  if (seat.name !== null) return seat.name;
  return you ? t('seat-you') : t(`side-${side}`);
}

export function sideName(side: Side): string {
  return t(`side-${side}`);
}

export function timeText(time: TimeControl): string {
  switch (time.kind) {
    case 'unlimited':
      return t('time-unlimited');
    case 'clock':
      return t('time-clock', {
        minutes: time.initial_s / 60,
        seconds: time.increment_s,
      });
    case 'days':
      return t('time-days', { days: time.days });
  }
}

/** A named set of rules, or the identifier of others. */
export function rulesText(rules: string): string {
  const key = `rules-${rules}`;
  return has(key) ? t(key) : rules;
}

/** Seeds that may be halves, as a reader writes them. */
export function seedsText(seeds: number): string {
  return new Intl.NumberFormat(language()).format(seeds);
}

export function dateText(at: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' }).format(
    at,
  );
}

/** How far away a moment is: "in 2 days", "3 hours ago". */
export function awayText(at: number, now: number): string {
  const format = new Intl.RelativeTimeFormat(language(), { numeric: 'auto' });
  const minutes = Math.round((at - now) / 60_000);
  if (Math.abs(minutes) < 60) return format.format(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  if (Math.abs(hours) < 48) return format.format(hours, 'hour');
  return format.format(Math.round(hours / 24), 'day');
}

/** Endings that do not come from the seeds: the score then says nothing. */
const WITHOUT_SCORE = new Set(['resignation', 'time', 'abandonment', 'adjudication']);

/** How a game ended, for the person here: who won by what, and the seeds. */
export function endingText(view: { you: Side[]; state: { ending: Ending | null } }): {
  title: string;
  why: string;
} {
  const { ending } = view.state;
  if (!ending) return { title: '', why: '' };
  const key = `end-${ending.reason.replaceAll('_', '-')}`;
  const why = has(key) ? t(key) : ending.reason;
  const [south, north] = ending.score.map(seedsText);
  if (ending.reason === 'aborted') return { title: t('end-title-aborted'), why };
  const score = { south: south ?? '', north: north ?? '' };
  if (ending.winner === null) return { title: t('end-title-draw', score), why };
  const plain = WITHOUT_SCORE.has(ending.reason);
  const title = (who: string, args: Record<string, string>): string =>
    plain ? t(`end-title-${who}.plain`) : t(`end-title-${who}`, args);
  if (view.you.length === 1) {
    const mine = view.you[0] === 'south' ? score.south : score.north;
    const theirs = view.you[0] === 'south' ? score.north : score.south;
    return { title: title(view.you[0] === ending.winner ? 'won' : 'lost', { mine, theirs }), why };
  }
  return { title: title(ending.winner, score), why };
}
