/** What some milliseconds suffice for, whatever is done with it. */
const CHARACTERS_OF_PART = 1_000_000;
const FIRST_HIGH_SURROGATE = 0xd800;
const LAST_HIGH_SURROGATE = 0xdbff;

/** Cuts a text into parts for steps, between characters. A short one is one part, an empty one too. */
export function* textParts(text: string): Generator<string, void> {
  let start = 0;
  while (text.length - start > CHARACTERS_OF_PART) {
    const last = start + CHARACTERS_OF_PART - 1;
    const unit = text.charCodeAt(last);
    const isPair = unit >= FIRST_HIGH_SURROGATE && unit <= LAST_HIGH_SURROGATE;
    const end = isPair ? last : last + 1;
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}

/** The JSON of a text, in parts. */
export function* textJsonParts(text: string): Generator<string, void> {
  yield '"';
  for (const part of textParts(text)) yield JSON.stringify(part).slice(1, -1);
  yield '"';
}
