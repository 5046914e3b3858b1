// Sounds, made rather than played from files: wood on wood, seed on seed. Silent until asked, and
// until the first touch or key, for browsers let no page sound before that.

import type { SoundName } from './types';

interface Tone {
  /** Hertz. */
  pitch: number;
  /** Seconds after the start of the sound. */
  after?: number;
  /** Seconds until it has died away. */
  lasts: number;
  /** 0 to 1. */
  loud: number;
  wave?: OscillatorType;
  /** Hertz at the end, where the pitch falls or rises. */
  to?: number;
}

const TONES: Record<SoundName, (nth: number) => Tone[]> = {
  lift: () => [
    { pitch: 210, lasts: 0.07, loud: 0.25, to: 320 },
    { pitch: 290, after: 0.05, lasts: 0.06, loud: 0.18, to: 400 },
  ],
  // A little higher with every seed, so that the ear counts along; an octave in twenty-four.
  seed: (nth) => {
    const pitch = 430 * 2 ** (Math.min(nth, 36) / 24);
    return [
      { pitch, lasts: 0.09, loud: 0.5, to: pitch * 0.82 },
      { pitch: pitch * 2.76, lasts: 0.035, loud: 0.22 },
    ];
  },
  capture: (nth) => [
    { pitch: 330 * 1.12 ** nth, lasts: 0.22, loud: 0.4, wave: 'triangle' },
    { pitch: 495 * 1.12 ** nth, after: 0.06, lasts: 0.26, loud: 0.34, wave: 'triangle' },
  ],
  turn: () => [
    { pitch: 587, lasts: 0.3, loud: 0.22 },
    { pitch: 880, after: 0.1, lasts: 0.45, loud: 0.2 },
  ],
  low: () => [0, 0.16, 0.32].map((after) => ({ pitch: 990, after, lasts: 0.08, loud: 0.3 })),
  end: () =>
    [392, 523, 659, 784].map((pitch, i) => {
      return { pitch, after: i * 0.11, lasts: 0.8, loud: 0.22, wave: 'triangle' as const };
    }),
  refuse: () => [{ pitch: 150, lasts: 0.16, loud: 0.4, to: 95 }],
};

/** What makes sounds; made at the first gesture, so that nothing waits for it. */
export class Sounds {
  private context: AudioContext | null = null;
  private noise: AudioBuffer | null = null;
  private on = false;
  private volume = 1;
  private readonly unlock = () => this.open();

  /** Switches sounds on or off; `volume` is 0 to 1. */
  set(on: boolean, volume: number): void {
    this.volume = volume;
    if (on === this.on) return;
    this.on = on;
    if (on) this.listen();
    else this.close();
  }

  /** Plays a sound; `nth` counts seeds of a sowing, or houses of a capture, from 0. */
  play(name: SoundName, nth = 0): void {
    const { context } = this;
    if (!this.on || !context || context.state !== 'running') return;
    for (const tone of TONES[name](nth)) this.tone(context, tone);
    if (name === 'seed' || name === 'lift') this.knock(context, name === 'seed' ? 0.35 : 0.2);
  }

  /** Gives the audio device back. */
  close(): void {
    this.deafen();
    void this.context?.close();
    this.context = null;
    this.noise = null;
  }

  /** Starts to wait for a gesture again, after `close`. */
  reopen(): void {
    if (this.on && !this.context) this.listen();
  }

  private listen(): void {
    if (typeof AudioContext === 'undefined') return;
    for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, this.unlock, true);
    if (navigator.userActivation?.hasBeenActive) this.open();
  }

  private deafen(): void {
    for (const kind of ['pointerdown', 'keydown']) removeEventListener(kind, this.unlock, true);
  }

  private open(): void {
    this.context ??= new AudioContext();
    const { context } = this;
    // A browser may refuse the first gestures; then the next one is tried.
    const settle = () => {
      if (context.state === 'running') this.deafen();
    };
    context.resume().then(settle, () => undefined);
  }

  private tone(context: AudioContext, tone: Tone): void {
    const start = context.currentTime + (tone.after ?? 0);
    const end = start + tone.lasts;
    const source = new OscillatorNode(context, {
      type: tone.wave ?? 'sine',
      frequency: tone.pitch,
    });
    if (tone.to) source.frequency.exponentialRampToValueAtTime(tone.to, end);
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(0.0001, start);
    gain.gain.exponentialRampToValueAtTime(
      Math.max(0.0002, tone.loud * this.volume),
      start + 0.004,
    );
    gain.gain.exponentialRampToValueAtTime(0.0001, end);
    source.connect(gain).connect(context.destination);
    source.start(start);
    source.stop(end + 0.02);
  }

  /** The short noise of something hard that meets wood. */
  private knock(context: AudioContext, loud: number): void {
    if (!this.noise) {
      const length = Math.round(context.sampleRate * 0.03);
      this.noise = new AudioBuffer({ length, sampleRate: context.sampleRate });
      const samples = this.noise.getChannelData(0);
      for (let i = 0; i < length; i += 1) {
        samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 3;
      }
    }
    const source = new AudioBufferSourceNode(context, { buffer: this.noise });
    const filter = new BiquadFilterNode(context, { type: 'bandpass', frequency: 1900, Q: 1.1 });
    const gain = new GainNode(context, { gain: loud * this.volume });
    source.connect(filter).connect(gain).connect(context.destination);
    source.start();
  }
}
