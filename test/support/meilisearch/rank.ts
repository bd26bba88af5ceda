import type { Term } from './query.js';

export type Strategy = 'last' | 'all' | 'frequency';
/** The numbers of the documents that hold each word. */
export type Postings = Map<string, Set<number>>;

/** A term, or two or three neighbouring words written as one. It stands for the terms `from` to `to`. */
interface Node {
  from: number;
  to: number;
  words: string[];
  isPhrase: boolean;
  documents: Set<number>;
}

/**
 * The documents that match, best first: by how many of the terms they lack. Joined words, and words split in two, always
 * count as the words asked for.
 */
export function rank(terms: Term[], strategy: Strategy, postings: Postings): number[] {
  const nodes = makeNodes(terms, postings);
  const turns = givenUp(nodes, terms.length, strategy);
  const documents = [...new Set(nodes.flatMap((node) => [...node.documents]))].sort((a, b) => a - b);
  return documents
    .map((document) => ({ document, lacking: countLacking(nodes, turns, terms.length, document) }))
    .filter(({ lacking }) => lacking < Infinity)
    .sort((a, b) => a.lacking - b.lacking)
    .map(({ document }) => document);
}

function makeNodes(terms: Term[], postings: Postings): Node[] {
  return terms.flatMap((_, to) =>
    [1, 2, 3].flatMap((size) => {
      const joined = terms.slice(Math.max(0, to - size + 1), to + 1);
      const [first] = joined;
      if (!first || joined.length < size) return [];
      const { isPhrase, position } = first;
      const areNeighbours = joined.every((term, i) => !term.isPhrase && term.position === position + i);
      if (size > 1 && !areNeighbours) return [];
      const words = joined.flatMap((term) => term.words);
      const documents = isPhrase ? holding(words, postings) : holdingWord(words, postings);
      return [{ from: to - size + 1, to, words, isPhrase, documents }];
    }),
  );
}

/** With precision by attribute, a phrase is found wherever all its words are. */
export function holding([first = '', ...rest]: string[], postings: Postings): Set<number> {
  const found = new Set(postings.get(first));
  for (const word of rest) {
    const others = postings.get(word);
    for (const document of found) if (!others?.has(document)) found.delete(document);
  }
  return found;
}

/** The word itself, or the two words of it that most documents hold together. */
function holdingWord(parts: string[], postings: Postings): Set<number> {
  const word = parts.join('');
  let best: { halves: string[]; documents: Set<number> } | undefined;
  for (let i = 1; i < word.length; i++) {
    const halves = [word.slice(0, i), word.slice(i)];
    const documents = holding(halves, postings);
    if (documents.size > (best?.documents.size ?? 0)) best = { halves, documents };
  }
  const isSplitAnew = best && best.halves.join(' ') !== parts.join(' ');
  return new Set([...(postings.get(word) ?? []), ...(isSplitAnew ? (best?.documents ?? []) : [])]);
}

/** When each node is given up. Phrases never are, nor, without any, are those whose turn would be the last. */
function givenUp(nodes: Node[], count: number, strategy: Strategy): Map<Node, number> {
  if (strategy === 'all' || (strategy === 'last' && count < 2)) return new Map();
  const costs = strategy === 'last' ? costsFromTheEnd(count) : costsByFrequency(nodes, count);
  const costOf = ({ from, to }: Node) => Math.max(...costs.slice(from, to + 1));
  const optional = nodes.filter((node) => !node.isPhrase);
  const order = [...new Set(optional.map(costOf))].sort((a, b) => a - b);
  if (optional.length === nodes.length) order.pop();
  const dropped = optional.filter((node) => order.includes(costOf(node)));
  return new Map(dropped.map((node) => [node, order.indexOf(costOf(node))]));
}

const costsFromTheEnd = (count: number) => Array.from({ length: count }, (_, i) => count - i);

/** Frequent terms go first, those that no document has before all others. */
function costsByFrequency(nodes: Node[], count: number): number[] {
  const frequencies = Array.from({ length: count }, (_, i) => {
    const covering = nodes.filter(({ from, to }) => from <= i && i <= to);
    return new Set(covering.flatMap(({ documents }) => [...documents])).size || Infinity;
  });
  const levels = [...new Set(frequencies)].sort((a, b) => b - a);
  return frequencies.map((frequency) => levels.indexOf(frequency));
}

/** How many terms are lacking at least. After one that is, none that is given up before it may be used. */
function countLacking(nodes: Node[], turns: Map<Node, number>, count: number, document: number): number {
  const counts = Array.from({ length: count + 1 }, () => new Map<number, number>());
  counts[0]?.set(-1, 0);
  for (const node of nodes) {
    const ownTurn = turns.get(node) ?? Infinity;
    const next = counts[node.to + 1]!;
    const reach = (turn: number, lacking: number) =>
      next.set(turn, Math.min(lacking, next.get(turn) ?? Infinity));
    for (const [turn, lacking] of counts[node.from]!) {
      if (ownTurn >= turn && node.documents.has(document)) reach(turn, lacking);
      if (ownTurn < Infinity) reach(Math.max(turn, ownTurn), lacking + node.to - node.from + 1);
    }
  }
  return Math.min(...counts[count]!.values());
}
