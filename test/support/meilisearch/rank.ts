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
 * The documents that match, best first: those that have all terms, then those that lack the terms given up first, and
 * so on. Joined words and words split in two count as the words asked for, as they do in the real server, always.
 */
export function rank(terms: Term[], strategy: Strategy, postings: Postings): Set<number> {
  const nodes = makeNodes(terms, postings);
  const ranked = new Set<number>();
  const dropped = new Set<Node>();
  const candidates = [...new Set(nodes.flatMap(({ documents }) => [...documents]))].sort((a, b) => a - b);
  for (const group of [[], ...givenUp(nodes, terms.length, strategy)]) {
    for (const node of group) dropped.add(node);
    for (const document of candidates) {
      if (hasPath(nodes, terms.length, (node) => dropped.has(node) || node.documents.has(document))) {
        ranked.add(document);
      }
    }
  }
  return ranked;
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

/** The groups of nodes that are given up one after another. Phrases never are, nor is the last group without them. */
function givenUp(nodes: Node[], count: number, strategy: Strategy): Node[][] {
  if (strategy === 'all' || (strategy === 'last' && count < 2)) return [];
  const costs = strategy === 'last' ? costsFromTheEnd(count) : costsByFrequency(nodes, count);
  const groups: Node[][] = [];
  for (const node of nodes) {
    if (node.isPhrase) continue;
    const cost = Math.max(...costs.slice(node.from, node.to + 1));
    groups[cost] = [...(groups[cost] ?? []), node];
  }
  const inOrder = groups.filter(Boolean);
  return nodes.some((node) => node.isPhrase) ? inOrder : inOrder.slice(0, -1);
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

function hasPath(nodes: Node[], count: number, isOpen: (node: Node) => boolean): boolean {
  const reached = new Set([0]);
  for (const node of nodes) if (reached.has(node.from) && isOpen(node)) reached.add(node.to + 1);
  return reached.has(count);
}
