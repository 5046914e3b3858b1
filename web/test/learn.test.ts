// The lessons' data as the page reads it, their words, and how far somebody is. Whether the moves
// are right is tested against the rules by the server's tests.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FluentBundle, FluentResource } from '@fluent/bundle';
import { describe, expect, it } from 'vitest';
import {
  isDone,
  keepDone,
  lessonBy,
  LESSONS,
  readDone,
  withStep,
} from '../src/pages/learn/lessons';

/** Steps in which every legal move is right: nobody is ever told that one is wrong. */
const FREE = ['sowing-1', 'feed-1', 'loop-1', 'loop-2'];

describe('the lessons', () => {
  it.each(['en', 'fr', 'ja'])('have all their words in %s', (language) => {
    const bundle = new FluentBundle(language);
    const path = join(import.meta.dirname, '..', 'locales', language, 'learn.ftl');
    bundle.addResource(new FluentResource(readFileSync(path, 'utf8')));
    for (const lesson of LESSONS) {
      expect(bundle.hasMessage(`lesson-${lesson.id}-title`), lesson.id).toBe(true);
      lesson.steps.forEach((_, index) => {
        const step = `${lesson.id}-${index + 1}`;
        expect(bundle.hasMessage(`lesson-${step}`), step).toBe(true);
        expect(bundle.hasMessage(`lesson-${step}-right`), step).toBe(true);
        expect(bundle.hasMessage(`lesson-${step}-wrong`), step).toBe(!FREE.includes(step));
      });
      // No words are left of steps that are gone.
      expect(bundle.hasMessage(`lesson-${lesson.id}-${lesson.steps.length + 1}`)).toBe(false);
    }
  });

  it('are found by name and number', () => {
    expect(LESSONS).toHaveLength(10);
    expect(lessonBy('capture')?.number).toBe(2);
    expect(lessonBy('rules')).toBeNull();
    expect(lessonBy('')).toBeNull();
  });

  it('ask for moves of South, and name houses', () => {
    for (const step of LESSONS.flatMap((lesson) => lesson.steps)) {
      expect(step.right.length).toBeGreaterThan(0);
      expect(step.right.every((house) => 'ABCDEF'.includes(house))).toBe(true);
      expect(step.reply === null || 'abcdef'.includes(step.reply)).toBe(true);
    }
  });
});

describe('what is done', () => {
  it('is kept and never gets less', () => {
    const store = new Map<string, string>();
    const storage = {
      getItem: (key: string) => store.get(key) ?? null,
      setItem: (key: string, value: string) => void store.set(key, value),
    };
    expect(readDone(storage)).toEqual({});
    const done = withStep(withStep({}, 'sowing', 2), 'sowing', 1);
    expect(done).toEqual({ sowing: 2 });
    keepDone(storage, done);
    expect(readDone(storage)).toEqual(done);
    const [sowing] = LESSONS;
    expect(sowing && isDone(done, sowing)).toBe(false);
    expect(sowing && isDone(withStep(done, 'sowing', 3), sowing)).toBe(true);
    for (const broken of ['{', '1', 'null', '{"sowing":"x","chain":-1,"lap":1.5}']) {
      store.set('oware.lessons', broken);
      expect(readDone(storage)).toEqual({});
    }
  });
});
