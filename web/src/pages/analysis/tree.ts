// A game as a tree: moves, variations, comments. Trees are values: every change makes a new one,
// so that an old one can be shown, compared or gone back to.

import type { WireTree } from '../../api/study';
import type { House } from '../../api/types';

/** What a reader thinks of a move. */
export const MARKS = ['!', '?', '!!', '??', '!?', '?!'] as const;

export interface Node {
  readonly id: number;
  /** 0 is the first position. */
  readonly parent: number;
  readonly house: House;
  readonly comment: string;
  readonly mark: string;
  /** The first child goes on with the main line. */
  readonly children: readonly number[];
}

export interface Tree {
  readonly rules: string;
  /** The first position, in our notation. */
  readonly start: string;
  readonly tags: readonly (readonly [string, string])[];
  readonly comment: string;
  /** Children of the first position. */
  readonly roots: readonly number[];
  readonly nodes: ReadonlyMap<number, Node>;
  readonly next: number;
}

export const START = '4-4-4-4-4-4-4-4-4-4-4-4-0-0-S';

export function empty(rules = 'abapa', start = START): Tree {
  return { rules, start, tags: [], comment: '', roots: [], nodes: new Map(), next: 1 };
}

export function children(tree: Tree, id: number): readonly number[] {
  return id === 0 ? tree.roots : (tree.nodes.get(id)?.children ?? []);
}

function withChildren(tree: Tree, id: number, list: readonly number[]): Tree {
  if (id === 0) return { ...tree, roots: list };
  const node = tree.nodes.get(id);
  if (!node) return tree;
  return { ...tree, nodes: new Map(tree.nodes).set(id, { ...node, children: list }) };
}

/** Plays a house from a node: the child that is there already, or a new one. */
export function add(tree: Tree, parent: number, house: House): { tree: Tree; id: number } {
  for (const child of children(tree, parent)) {
    if (tree.nodes.get(child)?.house === house) return { tree, id: child };
  }
  const id = tree.next;
  const node: Node = { id, parent, house, comment: '', mark: '', children: [] };
  const grown = { ...tree, nodes: new Map(tree.nodes).set(id, node), next: id + 1 };
  return { tree: withChildren(grown, parent, [...children(tree, parent), id]), id };
}

/** Plays houses one after the other. */
export function addLine(
  tree: Tree,
  parent: number,
  houses: readonly House[],
): { tree: Tree; id: number } {
  let grown = { tree, id: parent };
  for (const house of houses) grown = add(grown.tree, grown.id, house);
  return grown;
}

/** The nodes from the first move to one, itself last. */
export function path(tree: Tree, id: number): Node[] {
  const found: Node[] = [];
  for (let node = tree.nodes.get(id); node; node = tree.nodes.get(node.parent)) found.push(node);
  return found.reverse();
}

/** The houses from the start to a node. */
export function moves(tree: Tree, id: number): string {
  return path(tree, id)
    .map((node) => node.house)
    .join('');
}

/** The last node of the line that begins with a node. */
export function end(tree: Tree, id: number): number {
  let last = id;
  for (let child = children(tree, last)[0]; child; child = children(tree, last)[0]) last = child;
  return last;
}

/** The node before or after, or the variation beside one; itself where there is none. */
export function step(tree: Tree, id: number, way: 'back' | 'on' | 'before' | 'behind'): number {
  if (way === 'on') return children(tree, id)[0] ?? id;
  const node = tree.nodes.get(id);
  if (!node) return id;
  if (way === 'back') return node.parent;
  const beside = children(tree, node.parent);
  return beside[beside.indexOf(id) + (way === 'before' ? -1 : 1)] ?? id;
}

/** Whether a node stands in the main line. */
export function isMain(tree: Tree, id: number): boolean {
  return path(tree, id).every((node) => children(tree, node.parent)[0] === node.id);
}

/** Takes a node away with all that follows from it. */
export function remove(tree: Tree, id: number): Tree {
  const node = tree.nodes.get(id);
  if (!node) return tree;
  const nodes = new Map(tree.nodes);
  const gone = [id];
  for (let one = gone.pop(); one !== undefined; one = gone.pop()) {
    gone.push(...(nodes.get(one)?.children ?? []));
    nodes.delete(one);
  }
  const rest = children(tree, node.parent).filter((child) => child !== id);
  return withChildren({ ...tree, nodes }, node.parent, rest);
}

/** Makes a variation one more important: the nearest one on the way to a node that is not the
 * first of its kind changes places with the one before it. */
export function promote(tree: Tree, id: number): Tree {
  const way = path(tree, id).reverse();
  const branch = way.find((node) => children(tree, node.parent)[0] !== node.id);
  if (!branch) return tree;
  const beside = [...children(tree, branch.parent)];
  const place = beside.indexOf(branch.id);
  beside.splice(place, 1);
  beside.splice(place - 1, 0, branch.id);
  return withChildren(tree, branch.parent, beside);
}

/** Says something about a move, or about the start. */
export function say(tree: Tree, id: number, what: { comment?: string; mark?: string }): Tree {
  if (id === 0) return { ...tree, comment: what.comment ?? tree.comment };
  const node = tree.nodes.get(id);
  if (!node) return tree;
  return { ...tree, nodes: new Map(tree.nodes).set(id, { ...node, ...what }) };
}

/** Nodes in an order in which parents come first, the main line before what replaces it. */
export function inOrder(tree: Tree): Node[] {
  const found: Node[] = [];
  const waiting: number[] = [...tree.roots].reverse();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const node = tree.nodes.get(id);
    if (!node) continue;
    found.push(node);
    waiting.push(...[...node.children].reverse());
  }
  return found;
}

/** The tree as the server reads it, and the place of each node in it. */
export function toWire(tree: Tree): { wire: WireTree; places: Map<number, number> } {
  const places = new Map([[0, 0]]);
  const nodes = inOrder(tree).map((node, index) => {
    places.set(node.id, index + 1);
    const { house, comment, mark } = node;
    return { parent: places.get(node.parent) ?? 0, house, comment, mark };
  });
  const tags = tree.tags.map(([name, value]): [string, string] => [name, value]);
  const { rules, start, comment } = tree;
  return { wire: { rules, start, tags, comment, nodes }, places };
}

/** A tree from the server's. */
export function fromWire(wire: WireTree): Tree {
  let tree: Tree = {
    ...empty(wire.rules ?? 'abapa', wire.start ?? START),
    tags: wire.tags,
    comment: wire.comment,
  };
  const ids = [0];
  for (const node of wire.nodes) {
    const grown = add(tree, ids[node.parent] ?? 0, node.house);
    tree = say(grown.tree, grown.id, { comment: node.comment, mark: node.mark });
    ids.push(grown.id);
  }
  return tree;
}

/** One piece of a tree as it is written: a move, or a variation in place of the move before. */
export type Piece = { node: Node; ply: number } | { line: Piece[] };

/** The pieces from some siblings on; the first goes on, the others stand behind it. */
export function pieces(tree: Tree, siblings: readonly number[] = tree.roots, ply = 1): Piece[] {
  const found: Piece[] = [];
  let now = siblings;
  let number = ply;
  while (now.length > 0) {
    const [first, ...others] = now.map((id) => tree.nodes.get(id)).filter((node) => !!node);
    if (!first) break;
    found.push({ node: first, ply: number });
    for (const other of others) {
      const line: Piece[] = [{ node: other, ply: number }];
      line.push(...pieces(tree, other.children, number + 1));
      found.push({ line });
    }
    now = first.children;
    number += 1;
  }
  return found;
}
