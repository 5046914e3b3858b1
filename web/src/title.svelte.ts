// The title of the page, with a sign while it is one's turn.

let turn = $state(false);

/** Whether somebody waits for a move of the person here. */
export function announceTurn(mine: boolean): void {
  turn = mine;
}

/** The title of a page of the site. */
export function titleOf(page: string, site: string): string {
  return `${turn ? '● ' : ''}${page} · ${site}`;
}
