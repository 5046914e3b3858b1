// A tree in an address: whole where it is not too long, else the way to the present position.

import type { House } from '../../api/types';
import { addLine, empty, fromWire, moves, START, toWire, type Tree } from './tree';

/** Characters of a tree in an address, at most: longer ones are cut off by some programs. */
export const LONGEST = 6_000;

const HOUSES = 'ABCDEFabcdef';

function houses(text: string): House[] {
  return [...text].filter((letter) => HOUSES.includes(letter)) as House[];
}

function pack(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function unpack(text: string): string {
  const letters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0)));
}

/** Whether a tree is one line without words: then its moves say all. */
function isPlain(tree: Tree): boolean {
  if (tree.comment !== '' || tree.tags.length > 0 || tree.roots.length > 1) return false;
  return [...tree.nodes.values()].every(
    (node) => node.comment === '' && node.mark === '' && node.children.length <= 1,
  );
}

/** The query of an address that leads to a node of a tree. */
export function write(tree: Tree, at: number): string {
  const query = new URLSearchParams();
  if (tree.rules !== 'abapa') query.set('rules', tree.rules);
  if (tree.start !== START) query.set('start', tree.start);
  const plain = isPlain(tree);
  const { wire, places } = toWire(tree);
  const place = places.get(at) ?? 0;
  if (!plain) {
    const nodes = wire.nodes.map((node) => [node.parent, node.house, node.comment, node.mark]);
    const packed = pack(JSON.stringify([tree.comment, tree.tags, nodes]));
    if (packed.length <= LONGEST) {
      query.set('tree', packed);
      if (place > 0) query.set('at', String(place));
      return query.toString();
    }
  }
  const line = plain ? wire.nodes.map((node) => node.house).join('') : moves(tree, at);
  if (line !== '') query.set('moves', line);
  if (plain && place !== wire.nodes.length) query.set('at', String(place));
  return query.toString();
}

function readTree(packed: string, rules: string, start: string): Tree | null {
  try {
    const [comment, tags, nodes] = JSON.parse(unpack(packed)) as [
      string,
      [string, string][],
      [number, string, string, string][],
    ];
    const list = nodes.map(([parent, house, said, mark]) => {
      const [letter] = houses(house);
      if (letter === undefined) throw new Error('no house');
      return { parent: Number(parent), house: letter, comment: String(said), mark: String(mark) };
    });
    return fromWire({ rules, start, tags, comment: String(comment), nodes: list });
  } catch {
    return null;
  }
}

/** The tree of an address, and where in it to begin. What cannot be read is left out. */
export function read(query: URLSearchParams): { tree: Tree; at: number } {
  const rules = query.get('rules') ?? 'abapa';
  const start = query.get('start') ?? START;
  const line = houses(query.get('moves') ?? '');
  const packed = query.get('tree');
  const tree =
    (packed ? readTree(packed, rules, start) : null) ?? addLine(empty(rules, start), 0, line).tree;
  const { places } = toWire(tree);
  const asked = query.get('at');
  const wanted = asked === null ? (packed ? 0 : places.size - 1) : Number(asked);
  const found = [...places].find(([, place]) => place === wanted);
  return { tree, at: found?.[0] ?? 0 };
}
