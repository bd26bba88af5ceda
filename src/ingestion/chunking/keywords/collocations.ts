import type { Steps } from '../../../async/steps.js';
import { isStopWord } from '../stop-words/stop-words.js';
import { pairKey } from './pairs.js';
import type { Token } from './tokens.js';
import type { WordWeights } from './weights.js';

/** What a pair's part may also occur without the other, and still the pair be a term. */
const COHESION = 0.5;
const TOKENS_OF_STEP = 1_000;

/** Joins neighbours that keep occurring together: 知识 + 图谱, boundary + layer. */
export function* joinCollocations(tokens: Token[], weights: WordWeights | undefined): Steps<Token[]> {
  const paired = yield* joinPairs(tokens, weights);
  return paired.some(({ word }) => word.isHan) ? yield* joinPairs(paired, weights, true) : paired;
}

function* joinPairs(tokens: Token[], weights: WordWeights | undefined, onlyHan = false): Steps<Token[]> {
  const single = new Map<string, number>();
  const pairs = new Map<string, number>();
  const keys: (string | undefined)[] = [];
  for (const [index, token] of tokens.entries()) {
    const key = onlyHan && !token.word.isHan ? undefined : pairKey(token, tokens[index + 1]);
    single.set(token.word.key, (single.get(token.word.key) ?? 0) + 1);
    if (key !== undefined) pairs.set(key, (pairs.get(key) ?? 0) + 1);
    keys.push(key);
    if (index % TOKENS_OF_STEP === TOKENS_OF_STEP - 1) yield;
  }
  const strengthAt = (index: number): number => {
    const key = keys[index];
    const [left, right] = [tokens[index], tokens[index + 1]];
    if (key === undefined || !left || !right) return 0;
    const together = pairs.get(key) ?? 0;
    const [a, b] = [single.get(left.word.key) ?? 0, single.get(right.word.key) ?? 0];
    const apart = left.word.isHan ? Math.max(a, b) : Math.min(a, b);
    const isLocal = together >= 2 && together >= apart * COHESION;
    return isLocal || weights?.isCollocation(key, left.word.key, right.word.key) ? together : 0;
  };
  const joined: Token[] = [];
  let strength = strengthAt(0);
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    const right = tokens[index + 1];
    let next = strengthAt(index + 1);
    if (right !== undefined && strength > 0 && strength >= next) {
      joined.push(join(token, right));
      index++;
      next = strengthAt(index + 1);
    } else joined.push(token);
    strength = next;
    if (joined.length % TOKENS_OF_STEP === 0) yield;
  }
  return joined;
}

function join(left: Token, right: Token): Token {
  const { isHan } = left.word;
  const form = isHan ? left.word.form + right.word.form : `${left.word.form} ${right.word.form}`;
  const key = isHan ? left.word.key + right.word.key : `${left.word.key} ${right.word.key}`;
  const worth = isHan ? 1.3 : 1.25;
  return {
    ...left,
    word: { ...left.word, form, key, tagScore: worth, isHanPart: isHan && !isStopWord(form, []) },
    isName: left.isName && right.isName,
  };
}
