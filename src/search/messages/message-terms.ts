import { createHash } from 'node:crypto';
import { validate as isUuid } from 'uuid';
import type { Steps } from '../../async/steps.js';
import { countTermsOf, tokenizeInSteps } from '../ranking/analyze.js';

/** The analysis reads no more of one text. */
const PIECE = 50_000;
const AFTER_WORD = /\s\S*$/;

/** 16 bytes for a message, as a UUID: its id if that is one, else a hash (SHA-256) of it. */
export const keyOfMessage = (id: string): string => (isUuid(id) ? id.toLowerCase() : hashOf(`message ${id}`));

/** The same for the topic of a conversation. */
export const keyOfTopic = (conversationId: string): string => hashOf(`topic ${conversationId}`);

function hashOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

/** The terms of a message or topic, as chunks have them. */
export function* analyzeTextInSteps(text: string): Steps<{ terms: string; length: number }> {
  const tokens: string[] = [];
  for (let rest = text; rest !== ''; ) {
    const piece = rest.length > PIECE ? wholeWords(rest.slice(0, PIECE)) : rest;
    for (const token of yield* tokenizeInSteps(piece)) tokens.push(token);
    rest = rest.slice(piece.length);
    yield;
  }
  const length = tokens.reduce((sum, token) => sum + countTermsOf(token), 0);
  return { terms: tokens.join(' '), length };
}

/** Without the word that is cut, unless it is all there is. */
const wholeWords = (text: string): string => text.replace(AFTER_WORD, '') || text;
