// Sounds: none before they are asked for and before the first gesture.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Sounds } from '../src/sound';

/** Hertz of every tone that was started. */
let pitches: number[] = [];
let contexts = 0;

class Node {
  frequency = { exponentialRampToValueAtTime: () => undefined };
  gain = { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined };
  connect(next: unknown) {
    return next;
  }
  start() {
    return undefined;
  }
  stop() {
    return undefined;
  }
}

class Oscillator extends Node {
  constructor(_context: unknown, options: { frequency: number }) {
    super();
    pitches.push(options.frequency);
  }
}

class Context {
  state = 'suspended';
  currentTime = 0;
  sampleRate = 8000;
  destination = {};
  constructor() {
    contexts += 1;
  }
  resume() {
    this.state = 'running';
    return Promise.resolve();
  }
  close() {
    return Promise.resolve();
  }
}

beforeEach(() => {
  pitches = [];
  contexts = 0;
  vi.stubGlobal('AudioContext', Context);
  vi.stubGlobal('OscillatorNode', Oscillator);
  for (const name of ['GainNode', 'BiquadFilterNode', 'AudioBufferSourceNode']) {
    vi.stubGlobal(name, Node);
  }
  vi.stubGlobal(
    'AudioBuffer',
    class {
      getChannelData() {
        return new Float32Array(240);
      }
    },
  );
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('are off until asked, and wait for a gesture', () => {
  const sounds = new Sounds();
  dispatchEvent(new Event('pointerdown'));
  sounds.play('seed');
  expect(contexts).toBe(0);
  sounds.set(true, 1);
  sounds.play('seed');
  expect(pitches).toEqual([]);
  dispatchEvent(new Event('pointerdown'));
  sounds.play('seed');
  expect(contexts).toBe(1);
  expect(pitches.length).toBeGreaterThan(0);
  sounds.close();
});

test('rise with every seed of a sowing', () => {
  const sounds = new Sounds();
  sounds.set(true, 0.5);
  dispatchEvent(new Event('keydown'));
  const first = [0, 1, 2, 3, 4, 5].map((nth) => {
    pitches = [];
    sounds.play('seed', nth);
    return pitches[0] ?? 0;
  });
  expect(first).toEqual([...first].sort((a, b) => a - b));
  expect(new Set(first).size).toBe(6);
  sounds.close();
});

test('there is one for every event, and none once they are off', () => {
  const sounds = new Sounds();
  sounds.set(true, 1);
  dispatchEvent(new Event('pointerdown'));
  for (const name of ['lift', 'seed', 'capture', 'turn', 'low', 'end', 'refuse'] as const) {
    pitches = [];
    sounds.play(name);
    expect(pitches.length, name).toBeGreaterThan(0);
  }
  sounds.set(false, 1);
  pitches = [];
  sounds.play('end');
  expect(pitches).toEqual([]);
});

test('a browser without audio is simply silent', () => {
  vi.stubGlobal('AudioContext', undefined);
  const sounds = new Sounds();
  sounds.set(true, 1);
  dispatchEvent(new Event('pointerdown'));
  expect(() => sounds.play('seed')).not.toThrow();
});
