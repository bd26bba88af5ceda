/** That an endpoint may add to each text: separators, or an instruction of the model. */
const MAX_ADDED_TOKENS = 64;

export interface Usage {
  total_tokens?: unknown;
  prompt_tokens?: unknown;
}

/**
 * The tokens of texts as an endpoint has counted them, if that can be: from one for each text to one for each byte. A
 * quota depends on it. Else an estimate.
 */
export function countTokens(texts: string[], { total_tokens, prompt_tokens }: Usage = {}): number {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const most = bytes + texts.length * MAX_ADDED_TOKENS;
  const isPossible = (count: unknown): count is number =>
    Number.isSafeInteger(count) && (count as number) >= texts.length && (count as number) <= most;
  return [total_tokens, prompt_tokens].find(isPossible) ?? estimateTokens(texts);
}

/** A few characters are a token, in whatever script. */
export const estimateTokens = (texts: string[]): number =>
  texts.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / 4), 0);
