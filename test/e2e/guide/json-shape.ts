import type { Block } from './read-blocks.js';

const CURL_ERROR = /curl: \(22\) .*\n/g;

/**
 * Expects what a block printed to end with what the page shows right after it, as far as that is JSON. A field "…" stands for
 * others. @throws Error
 */
export function expectShape({ page, output }: Block, printed: string): void {
  if (output?.language !== 'json') return;
  const answer = lastJson(printed.replace(CURL_ERROR, ''));
  const found = differences(readShown(output), answer);
  if (found.length > 0)
    throw new Error(`${page}:${output.line}: shows another answer: ${found.join('; ')}\nIt was:\n${printed}`);
}

function readShown({ page, line, text }: Block): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${page}:${line}: is no JSON, so mark it as text: ${(error as Error).message}`);
  }
}

/** The JSON at the end of what was printed, if there is some. */
function lastJson(printed: string): unknown {
  for (const { index } of printed.matchAll(/[[{]/g)) {
    try {
      return JSON.parse(printed.slice(index));
    } catch {
      // It begins further on.
    }
  }
  return undefined;
}

/** Where an answer lacks what the page shows of it; values may be others of the same type. */
function differences(shown: unknown, actual: unknown, at = 'answer'): string[] {
  if (shown === null) return [];
  if (typeOf(shown) !== typeOf(actual)) return [`${at} is ${typeOf(actual)}, not ${typeOf(shown)}`];
  if (Array.isArray(shown))
    return shown.slice(0, 1).flatMap((one) => differences(one, (actual as unknown[])[0], `${at}[0]`));
  if (typeof shown !== 'object') return [];
  return Object.entries(shown).flatMap(([name, value]) =>
    name === '…' ? [] : differences(value, (actual as Record<string, unknown>)[name], `${at}.${name}`),
  );
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value;
