// The lessons' data, which a test of the server holds against the rules, and how far somebody is.

import type { House } from '../../api/types';
import data from './lessons.json';

export interface Step {
  /** The position before `moves`. */
  start: string;
  moves: string;
  /** The legal moves that do what the step asks for. */
  right: readonly House[];
  /** What the opponent then plays. */
  reply: House | null;
  /** Houses that the text speaks of. */
  look: readonly House[];
}

export interface Lesson {
  id: string;
  steps: readonly Step[];
}

interface RawStep {
  start: string;
  moves?: string;
  right: string[];
  reply?: string;
  look?: string[];
}

function step(raw: RawStep): Step {
  return {
    start: raw.start,
    moves: raw.moves ?? '',
    right: raw.right as House[],
    reply: (raw.reply as House | undefined) ?? null,
    look: (raw.look ?? []) as House[],
  };
}

export const LESSONS: readonly Lesson[] = data.map((lesson) => ({
  id: lesson.id,
  steps: (lesson.steps as RawStep[]).map(step),
}));

export function lessonBy(id: string): { lesson: Lesson; number: number } | null {
  const index = LESSONS.findIndex((lesson) => lesson.id === id);
  const lesson = LESSONS[index];
  return lesson ? { lesson, number: index + 1 } : null;
}

const KEY = 'oware.lessons';

/** Steps done, by lesson. Broken values count as none. */
export type Done = Readonly<Record<string, number>>;

export function readDone(storage: Pick<Storage, 'getItem'>): Done {
  try {
    const given: unknown = JSON.parse(storage.getItem(KEY) ?? '{}');
    if (typeof given !== 'object' || given === null) return {};
    const sound = Object.entries(given).filter(
      (entry): entry is [string, number] => Number.isInteger(entry[1]) && Number(entry[1]) > 0,
    );
    return Object.fromEntries(sound);
  } catch {
    return {};
  }
}

/** After a step, by its number from 1; what was done stays done. */
export function withStep(done: Done, lesson: string, number: number): Done {
  return { ...done, [lesson]: Math.max(done[lesson] ?? 0, number) };
}

export function keepDone(storage: Pick<Storage, 'setItem'>, done: Done): void {
  try {
    storage.setItem(KEY, JSON.stringify(done));
  } catch {
    // Without storage it lasts until the page is left.
  }
}

export function isDone(done: Done, lesson: Lesson): boolean {
  return (done[lesson.id] ?? 0) >= lesson.steps.length;
}
