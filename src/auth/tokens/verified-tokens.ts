import { createHash } from 'node:crypto';

/** Characters of all remembered tokens: what is remembered of one is about as long as itself. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

interface Entry<T> {
  value: T;
  length: number;
}

/** Remembers what is known of tokens, by their hash. The least recently used ones are forgotten. */
export function createVerifiedTokens<T>(maxCharacters = MAX_CHARACTERS) {
  /** The least recently used ones first. */
  const entries = new Map<string, Entry<T>>();
  let characters = 0;
  return { find, remember, forget };

  function find(text: string): T | undefined {
    const name = nameOf(text);
    const entry = entries.get(name);
    if (!entry) return undefined;
    entries.delete(name);
    entries.set(name, entry);
    return entry.value;
  }

  function remember(text: string, value: T): void {
    forget(text);
    entries.set(nameOf(text), { value, length: text.length });
    characters += text.length;
    for (const [name, { length }] of entries) {
      if (characters <= maxCharacters) return;
      entries.delete(name);
      characters -= length;
    }
  }

  function forget(text: string): void {
    const name = nameOf(text);
    characters -= entries.get(name)?.length ?? 0;
    entries.delete(name);
  }
}

const nameOf = (text: string): string => createHash('sha256').update(text).digest('base64');
