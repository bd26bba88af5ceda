/** Strings are matched to be left alone, also those without an end: looking again behind each takes quadratic time. */
const STRINGS_AND_NUMBERS = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*/g;

/** Parses JSON with numbers that JavaScript would write in another way (`18.0`, long ids) as strings. */
export function parseJsonExactly(text: string): unknown {
  return JSON.parse(
    text.replace(STRINGS_AND_NUMBERS, (found) =>
      found.startsWith('"') || String(Number(found)) === found ? found : `"${found}"`,
    ),
  );
}
