// `<oware-board>`: holds what was given, and lets the parts show it.

import { Player } from './anim';
import type { Watcher } from './anim';
import { checkPosition, checkTrace } from './check';
import { DEFAULTS, drawnTheme, mergeConfig } from './config';
import type { BoardConfig } from './config';
import {
  answer,
  dimmedHouses,
  explanation,
  houseFacts,
  mayMove,
  mayPlay,
  moveFacts,
  moveFrom,
  reasonFor,
} from './facts';
import { chooseLayout, geometry } from './geometry';
import { Grid } from './grid';
import { indexOf, isHouse, sideOf, storeIndex } from './houses';
import { listen, pressKey } from './input';
import type { Wishes } from './input';
import { emit, heightLimit, isStill } from './page';
import { differs } from './preview';
import { View } from './render';
import { Sounds } from './sound';
import { adopt } from './styles';
import { BOARDS } from './themes';
import type {
  AskWhat,
  BoardPosition,
  Counts,
  House,
  LayoutName,
  Side,
  SoundName,
  SpeedName,
  Trace,
} from './types';

/** How long a board takes to be turned, in milliseconds. */
const FLIP_MS = 420;

const EMPTY: Counts = { houses: new Array<number>(12).fill(0), stores: [0, 0] };

/** The board. `BoardEvents` lists what it tells its host. */
export class OwareBoard extends HTMLElement {
  private settings: BoardConfig = { ...DEFAULTS };
  private readonly view = new View();
  private readonly grid = new Grid();
  private readonly sounds = new Sounds();
  private readonly frame = document.createElement('div');
  private readonly player: Player;
  private state: BoardPosition | null = null;
  private last: Trace | null = null;
  private moving: House | null = null;
  private shown: Counts = EMPTY;
  private hovered: House | null = null;
  private focused: House | null = null;
  private chosen: House | null = null;
  private spread: House | null = null;
  /** A house that was just refused, whose reason is shown. */
  private refused: House | null = null;
  /** A move has been told to the host, which has not answered yet. */
  private waiting = false;
  private previewed: House | null = null;
  private layout: LayoutName | null = null;
  private drawn = '';
  private observer: ResizeObserver | null = null;
  private unlisten: (() => void) | null = null;
  /** In the next frame: what is measured would change while it is being measured. */
  private readonly measured = () => requestAnimationFrame(() => this.measure());

  constructor() {
    super();
    this.player = new Player(this.view.scene, this.watcher());
    const root = this.attachShadow({ mode: 'open' });
    adopt(root);
    this.frame.className = 'frame';
    this.frame.append(this.view.root, ...this.grid.elements());
    root.append(this.frame);
  }

  connectedCallback(): void {
    this.unlisten = listen(this.grid, this.wishes());
    this.sounds.reopen();
    if (typeof ResizeObserver === 'function') {
      this.observer = new ResizeObserver(this.measured);
      this.observer.observe(this);
    }
    // The height allowed may follow the window's while the width stays.
    addEventListener('resize', this.measured);
    this.measure();
    this.redraw();
  }

  disconnectedCallback(): void {
    this.unlisten?.();
    this.observer?.disconnect();
    removeEventListener('resize', this.measured);
    // A board that is not on the page finishes nothing; who waits for a move is not left waiting.
    this.player.finish();
    this.sounds.close();
  }

  /** Sets a part of the configuration. Throws a TypeError that names a bad field. */
  config(partial: Partial<BoardConfig>): void {
    this.settings = mergeConfig(this.settings, partial);
    this.sounds.set(this.settings.sound, this.settings.volume);
    if (!this.settings.preview) this.previewed = null;
    this.measure();
    this.redraw();
  }

  /** The configuration as it stands. */
  get settled(): Readonly<BoardConfig> {
    return this.settings;
  }

  /** Shows a position at once, with the move that led to it. */
  position(position: BoardPosition, last?: Trace): void {
    checkPosition(position);
    if (last) checkTrace('last', last);
    this.player.cancel();
    this.accept(position, last ?? null);
    this.moving = null;
    this.show(position);
    this.redraw();
  }

  /** Plays a move that leads to a position; resolves when it has ended or was jumped. */
  async play(trace: Trace, after: BoardPosition): Promise<void> {
    checkTrace('trace', trace);
    checkPosition(after);
    this.accept(after, trace);
    this.grid.say(this.settings.labels.move(moveFacts(trace, this.settings.viewpoint)));
    const done = this.player.play(trace, after, this.speed());
    this.redraw();
    await done;
  }

  /** Ends all motion: the last position given is shown. */
  finish(): void {
    this.player.finish();
  }

  get animating(): boolean {
    return this.player.animating;
  }

  /** Moves the focus to a house. */
  focusHouse(house: House): void {
    if (!isHouse(house)) throw new TypeError(`house: expected A..F or a..f, got ${String(house)}`);
    this.grid.setFocus(house, true);
  }

  /** Says a sentence through the board's own live region, such as an answer to `oware-ask`. */
  say(sentence: string): void {
    this.grid.say(sentence);
  }

  /** Makes one of the board's sounds, such as `low` when time is short. */
  sound(name: SoundName): void {
    this.sounds.play(name);
  }

  /** Confirms the chosen house; for a button beside the board. */
  confirm(): void {
    if (this.chosen && !this.waiting) this.send(this.chosen);
  }

  /** Gives up the chosen house. */
  cancel(): void {
    if (this.waiting) return;
    this.choose(null);
  }

  /** Lets keys pressed elsewhere on the page reach the board. Returns whether one was used. */
  key(event: KeyboardEvent): boolean {
    return pressKey(event, this.grid, this.wishes());
  }

  /** What is on show now, house by house: seeds as they lie. */
  counts(): Counts {
    return this.view.scene.counts();
  }

  private accept(position: BoardPosition, last: Trace | null): void {
    // A pointer that rests where the last move was made asks nothing yet: first the answer to
    // that move is to be seen.
    if (this.state && differs(position, this.state)) {
      this.hovered = null;
      this.focused = null;
    }
    this.state = position;
    this.last = last;
    this.waiting = false;
    this.chosen = null;
    this.refused = null;
    this.spread = null;
  }

  private speed(): SpeedName {
    return isStill(this) ? 'off' : this.settings.speed;
  }

  private show(counts: Counts): void {
    this.shown = { houses: [...counts.houses], stores: [...counts.stores] };
    this.view.scene.settle(this.shown);
  }

  private watcher(): Watcher {
    return {
      begins: (trace) => {
        this.moving = trace.house;
        this.redraw();
      },
      starts: ({ step }, counts) => {
        this.shown = counts;
        if (step.step === 'lift') this.sounds.play('lift');
        if (step.step === 'capture' && this.settings.theme !== 'numbers') {
          this.view.flash(step.house, storeIndex(step.to));
        }
        this.writeCounts();
      },
      lands: ({ step, nth }, counts) => {
        this.shown = counts;
        if (step.step === 'sow') this.sounds.play('seed', nth);
        if (step.step === 'capture' || step.step === 'collect') this.sounds.play('capture', nth);
        if (step.step === 'sow' && this.settings.speed === 'teaching') {
          this.view.writeTally(step.house, nth + 1, this.settings.facing);
        }
        this.writeCounts();
      },
      ends: (trace, after, rest) => this.ended(trace, after, rest),
      drifts: (shown, expected) => emit(this, 'oware-drift', { shown, expected }),
    };
  }

  private ended(trace: Trace, after: Counts, rest: boolean): void {
    this.moving = null;
    this.shown = { houses: [...after.houses], stores: [...after.stores] };
    this.view.writeTally(null, 0, false);
    // Of several moves that are caught up with, the last one is heard and seen.
    if (!rest) return;
    if (trace.ends) this.sounds.play('end');
    else if (this.settings.playable !== 'both' && mayMove(this.state, this.settings)) {
      this.sounds.play('turn');
    }
    this.redraw();
  }

  private wishes(): Wishes {
    return {
      touched: () => this.player.finish(),
      activate: (house) => this.activate(house),
      cancel: () => {
        this.spread = null;
        this.refused = null;
        this.cancel();
        this.redraw();
      },
      hover: (house) => {
        if (house === this.hovered) return;
        this.hovered = house;
        this.refused = null;
        this.redraw();
      },
      focus: (house) => {
        this.focused = house;
        this.refused = null;
        this.redraw();
      },
      spread: (house) => {
        this.spread = this.spread === house ? null : house;
        this.redraw();
      },
      ask: (what) => this.ask(what),
      previews: (house) => this.settings.preview && mayPlay(this.state, this.settings, house),
      own: () => this.own(),
      geometry: () => this.view.geometry,
      letterKeys: () => this.settings.letterKeys,
    };
  }

  /** Whose houses the keys 1-6 mean: those of the side that this screen plays. */
  private own(): Side | null {
    const { playable, viewpoint } = this.settings;
    if (playable === 'both') return this.state?.to_move ?? 'south';
    return playable === 'none' ? viewpoint : playable;
  }

  private activate(house: House): void {
    const { settings, state } = this;
    if (this.waiting || !state) return;
    if (!mayPlay(state, settings, house)) {
      this.refuse(house);
      return;
    }
    if (settings.input === 'confirm' && this.chosen !== house) this.choose(house);
    else this.send(house);
  }

  private refuse(house: House): void {
    const { state } = this;
    const reason = mayMove(state, this.settings) ? reasonFor(state, house) : null;
    const mine = state !== null && sideOf(house) === state.to_move;
    if (!reason || !mine) return;
    this.refused = house;
    this.sounds.play('refuse');
    if (this.speed() !== 'off') this.view.scene.shake(indexOf(house));
    this.grid.say(this.settings.labels.reason(reason));
    emit(this, 'oware-refuse', { house, reason });
    this.redraw();
  }

  private choose(house: House | null): void {
    if (this.chosen === house) return;
    this.chosen = house;
    emit(this, 'oware-choose', { house });
    if (house) {
      this.grid.say(
        this.settings.labels.house(houseFacts(house, this.state, this.settings, house)),
      );
    }
    this.redraw();
  }

  private send(house: House): void {
    // Until the host shows a position, a second click is not a second move.
    this.waiting = true;
    this.chosen = house;
    this.redraw();
    emit(this, 'oware-move', { house });
  }

  private ask(what: AskWhat): void {
    if (!emit(this, 'oware-ask', { what }) || !this.state) return;
    const sentence = answer(what, this.state, this.last, this.settings);
    if (sentence) this.grid.say(sentence);
  }

  private near(): Side {
    return this.settings.viewpoint ?? 'south';
  }

  private measure(): void {
    // Off the page nothing has a size; it is drawn when it is put there.
    if (!this.isConnected) return;
    const { layout } = this.settings;
    const limit = heightLimit(this);
    this.frame.style.setProperty('--limit', limit === Infinity ? '200rem' : `${limit}px`);
    this.layout = layout === 'auto' ? chooseLayout(this.clientWidth, limit, this.layout) : layout;
    this.layOut();
  }

  /** Draws the board again where something it is drawn from has changed. */
  private layOut(): void {
    const { settings } = this;
    const theme = drawnTheme(settings);
    const layout = this.layout ?? 'horizontal';
    const look = [theme, settings.seeds, layout, settings.facing, settings.names].join();
    const key = `${look} ${this.near()}`;
    if (key === this.drawn) return;
    const turned = this.drawn.startsWith(`${look} `);
    this.drawn = key;
    this.player.finish();
    const shape = geometry(layout, this.near(), BOARDS[theme].front);
    this.frame.style.setProperty('--ratio', String(shape.width / shape.height));
    Object.assign(this.frame.dataset, { theme, layout, seeds: settings.seeds });
    this.view.layOut(shape, settings, turned && this.speed() !== 'off' ? FLIP_MS : 0);
    this.grid.layOut(shape);
    this.redraw();
  }

  private writeCounts(): void {
    const asked = this.spread ?? this.hovered ?? this.focused;
    this.view.writeCounts(this.shown, this.settings, asked);
  }

  private redraw(): void {
    const { settings, state } = this;
    if (!this.view.geometry) return;
    const moving = this.player.animating;
    const pointed = this.chosen ?? this.hovered ?? this.focused;
    const previews =
      settings.preview && !moving && !this.waiting && pointed && mayPlay(state, settings, pointed);
    const preview = previews ? moveFrom(state, pointed) : null;
    this.frame.classList.toggle('locked', settings.lockScroll);
    this.frame.classList.toggle('moving', moving);
    this.writeCounts();
    this.view.show(
      {
        last: this.last,
        moving: moving ? this.moving : null,
        preview,
        chosen: this.chosen,
        dimmed: moving ? [] : dimmedHouses(state, settings),
        spread: this.spread,
      },
      settings,
      this.shown,
    );
    this.grid.name(state, settings, state ?? EMPTY, this.chosen, this.waiting);
    const told = moving ? null : (preview ?? this.last);
    const asked = this.refused ?? this.hovered ?? this.focused;
    const note = explanation(state, settings, moving ? null : asked, this.refused, told);
    this.grid.tell(note?.words ?? '', note?.house ?? null, this.view.geometry, settings.facing);
    const house = preview?.house ?? null;
    if (house !== this.previewed) {
      this.previewed = house;
      emit(this, 'oware-preview', { house });
    }
  }
}
