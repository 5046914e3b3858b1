// Who is here, as the server knows it: the account's name if there is one, and what waits.

import { get } from './api/client';
import type { Me, RelationView } from './api/types';
import { line } from './live/browser';

/** How long to wait for more news before asking who one is. */
const REFRESH_MS = 5000;

class Self {
  /** The account's name; null without one, and until the server has answered. */
  name = $state<string | null>(null);
  admin = $state(false);
  language = $state<string | null>(null);
  turns = $state(0);
  announcement = $state<string | null>(null);
  restartAt = $state<number | null>(null);
  known = $state(false);
  private muted = $state.raw<ReadonlySet<string>>(new Set());
  private waiting = false;

  take(me: Me): void {
    this.name = me.name;
    this.admin = me.admin;
    this.language = me.language;
    this.turns = me.turns;
    this.announcement = me.announcement;
    this.restartAt = me.restart_at;
    this.known = true;
  }

  /** Learns who one is, and what the server says to everybody. Call once. */
  listen(): void {
    line.listen((frame) => {
      if (frame.t === 'announcement') {
        this.announcement = frame.text;
        this.restartAt = frame.restart_at;
      } else if (frame.t === 'hello') {
        // The restart that was announced has happened.
        this.restartAt = null;
      } else if (frame.t === 'turn' || frame.t === 'revoked') {
        this.soon();
      }
    });
    void this.refresh();
  }

  /** Refreshes before long: in a live game turns come fast, and only the count of them matters. */
  private soon(): void {
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      void this.refresh();
    }, REFRESH_MS);
  }

  /** Whether one does not want to read what an account says. */
  mutes(name: string | null): boolean {
    return name !== null && this.muted.has(name);
  }

  /** Asks the server again; without an answer all stays as it was. */
  async refresh(): Promise<void> {
    try {
      this.take(await get<Me>('/me'));
      if (this.name === null) return;
      const relations = await get<RelationView[]>('/me/relations');
      this.muted = new Set(relations.filter((one) => one.muted).map((one) => one.name));
    } catch {
      this.known = true;
    }
  }
}

export const me = new Self();
