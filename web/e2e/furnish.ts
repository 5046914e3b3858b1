// A site that is in use: an account with games of every kind, somebody in the lobby, so that no
// page is empty when it is looked at.

import { request, type APIRequestContext, type BrowserContextOptions } from 'playwright-core';
import type { Action, GameView, NewGame } from '../src/api/types';
import type { Site } from './site';

export interface Furnished {
  /** Addresses of all pages by a name. */
  pages: Record<string, string>;
  /** The account whose games they are: its session, to be used by a visitor. */
  session: NonNullable<BrowserContextOptions['storageState']>;
}

/** Somebody who speaks to the site without a page. */
export class Client {
  private readonly context: APIRequestContext;

  constructor(context: APIRequestContext) {
    this.context = context;
  }

  static async of(site: Site): Promise<Client> {
    const origin = site.address;
    const context = await request.newContext({
      baseURL: `${origin}/api/v1/`,
      extraHTTPHeaders: { origin },
    });
    return new Client(context);
  }

  async post<T>(path: string, data: unknown): Promise<T> {
    const answer = await this.context.post(path, { data });
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async get<T>(path: string): Promise<T> {
    const answer = await this.context.get(path);
    if (!answer.ok()) throw new Error(`${path}: ${answer.status()} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  create(game: NewGame): Promise<GameView> {
    return this.post('games', game);
  }

  act(game: string, action: Action): Promise<{ game: GameView }> {
    return this.post(`games/${game}/actions`, action);
  }

  /** Plays first legal moves at one device until the game is over or so many are played. */
  async play(view: GameView, plies: number): Promise<GameView> {
    let now = view;
    while (now.status === 'playing' && now.plies.length < plies) {
      const { house } = now.state.legal.at(now.plies.length % 3) ?? now.state.legal[0]!;
      const move = { action: 'move', ply: now.plies.length + 1, house } as const;
      now = (await this.act(now.id, move)).game;
    }
    return now;
  }

  session(): Promise<Furnished['session']> {
    return this.context.storageState();
  }

  close(): Promise<void> {
    return this.context.dispose();
  }
}

const CLOCK = { kind: 'clock', initial_s: 300, increment_s: 3 } as const;
const DAYS = { kind: 'days', days: 3 } as const;

/** Puts people and games on a site that has none. */
export async function furnish(site: Site): Promise<Furnished> {
  const owner = await Client.of(site);
  const guest = await Client.of(site);
  await owner.post('accounts', { name: 'Akosua', password: 'four seeds a house' });
  await guest.post('accounts', { name: 'Kwame_the_Patient', password: 'four seeds a house' });
  const device = { opponent: { kind: 'same_device' }, seat: 'south' } as const;
  const over = await owner.play(await owner.create(device), 400);
  const running = await owner.play(await owner.create(device), 7);
  const invitation = await guest.create({ opponent: { kind: 'link' }, time: CLOCK, games: 2 });
  await guest.create({ opponent: { kind: 'anybody' }, time: DAYS });
  // A rated game that was won, and one by days in which the owner is to move.
  const won = await owner.create({
    opponent: { kind: 'link' },
    seat: 'south',
    time: CLOCK,
    rated: true,
  });
  await guest.act(won.id, { action: 'join' });
  await owner.act(won.id, { action: 'move', ply: 1, house: 'C' });
  await guest.act(won.id, { action: 'move', ply: 2, house: 'd' });
  await guest.act(won.id, { action: 'resign' });
  const slow = await owner.create({ opponent: { kind: 'link' }, seat: 'south', time: DAYS });
  await guest.act(slow.id, { action: 'join' });
  const [puzzle] = await guest.get<{ id: string }[]>('puzzles');
  const session = await owner.session();
  await Promise.all([owner.close(), guest.close()]);
  return {
    session,
    pages: {
      computer: '/',
      friend: '/friend',
      lobby: '/lobby',
      'game-running': `/game/${running.id}`,
      'game-over': `/game/${over.id}`,
      'game-invitation': `/game/${invitation.id}`,
      'game-by-days': `/game/${slow.id}`,
      'game-missing': '/game/nothing1',
      correspondence: '/correspondence',
      analysis: '/analysis',
      'analysis-of-game': `/analysis?game=${over.id}`,
      learn: '/learn',
      'learn-rules': '/learn/rules',
      'learn-names': '/learn/names',
      puzzles: '/puzzles',
      ...(puzzle ? { puzzle: `/puzzles/${puzzle.id}` } : {}),
      player: '/player/Akosua',
      'player-other': '/player/Kwame_the_Patient',
      leaders: '/leaders',
      settings: '/settings',
      about: '/about',
      'sign-in': '/sign-in',
      admin: '/admin',
      missing: '/nowhere/at/all',
    },
  };
}
