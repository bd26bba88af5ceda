/** Of the arguments of a call: more than the lists of any tool have together. */
export const MAX_ARGUMENT_VALUES = 3_000;
/** Of the rest of a message. */
export const MAX_MESSAGE_VALUES = 200;
/** Of a text in that rest. */
export const MAX_MESSAGE_TEXT = 10_000;

/**
 * What a message has too much of for the SDK, which copies messages several times, takes up to 30 µs for a value, and repeats
 * what is wrong in its errors; undefined if there is nothing.
 */
export function findExcess(message: object): string | undefined {
  const args = (message as { params?: { arguments?: unknown } | null }).params?.arguments;
  const [inArguments, inMessage] = [countValues(args), countValues(message, args)];
  if (inArguments.values > MAX_ARGUMENT_VALUES)
    return `must have at most ${MAX_ARGUMENT_VALUES} values in arguments`;
  if (inMessage.values > MAX_MESSAGE_VALUES)
    return `must have at most ${MAX_MESSAGE_VALUES} values besides arguments`;
  if (inMessage.longest > MAX_MESSAGE_TEXT)
    return `must have no text of more than ${MAX_MESSAGE_TEXT} characters besides arguments`;
  return undefined;
}

/** How many values there are, and how long the longest text or name is, without what is in `left`. */
function countValues(from: unknown, left?: unknown): { values: number; longest: number } {
  let [values, longest] = [0, 0];
  const open = [from];
  while (open.length > 0) {
    const value = open.pop();
    values++;
    if (typeof value === 'string') longest = Math.max(longest, value.length);
    if (typeof value !== 'object' || value === null || value === left) continue;
    for (const [name, inner] of Object.entries(value)) {
      longest = Math.max(longest, name.length);
      open.push(inner);
    }
  }
  return { values, longest };
}
