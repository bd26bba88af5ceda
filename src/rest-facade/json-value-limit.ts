import type { Steps } from '../async/steps.js';

/**
 * Most values in a JSON body. Parsing time depends on values rather than bytes: 16 MiB of `[[[[` take four
 * seconds, 50,000 values less than 0.1 s.
 */
export const MAX_BODY_VALUES = 50_000;

const CHARACTERS_OF_STEP = 1_000_000;
const [COMMA, QUOTE, BACKSLASH, OPEN_ARRAY, OPEN_OBJECT] = [...',"\\[{'].map((one) => one.charCodeAt(0));

/** Whether JSON has at most MAX_BODY_VALUES values. It need not be valid. */
export function* isWithinValueLimitInSteps(json: string): Steps<boolean> {
  let so: Counted = { values: 1, inString: false, place: 0 };
  for (;;) {
    so = countOn(json, so);
    if (so.values > MAX_BODY_VALUES) return false;
    if (so.place >= json.length) return true;
    yield;
  }
}

interface Counted {
  values: number;
  inString: boolean;
  /** Of the first character that is not counted. */
  place: number;
}

function countOn(json: string, { values, inString, place }: Counted): Counted {
  const end = Math.min(place + CHARACTERS_OF_STEP, json.length);
  for (; place < end && values <= MAX_BODY_VALUES; place += 1) {
    const character = json.charCodeAt(place);
    if (inString) {
      if (character === BACKSLASH) place += 1;
      else if (character === QUOTE) inString = false;
    } else if (character === QUOTE) inString = true;
    else if (character === COMMA || character === OPEN_ARRAY || character === OPEN_OBJECT) values += 1;
  }
  return { values, inString, place };
}
