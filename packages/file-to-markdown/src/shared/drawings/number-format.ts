const DAY_MS = 86_400_000;
const BEFORE_1900 = Date.UTC(1899, 11, 30);
const BEFORE_1904 = Date.UTC(1904, 0, 1);
/** Up to the year 9999. */
const MAX_DAY = 2_958_465;
/** Sheets show no more; what is behind them, as in 0.30000000000000004, comes from binary fractions. */
const DECIMAL_DIGITS = 15;
/** How much shorter a number is without such digits. */
const BINARY_REST = 4;
/** Literal text, colours and conditions in a number format (ECMA-376 18.8.31). */
const LITERALS = /"[^"]*"|\[[^[\]]*\]|\\./g;
const NO_LETTER = /[^\p{L}]/gu;
/** "General" is called by other words in other languages. */
const NO_CODE_OF_DATES = /[^dmyhsapeg]/i;

/** How values of a number format are written: dates as such, all else as the number that it is. */
export function numberFormatter(format: string, starts1904: boolean): (value: string) => string {
  const codes = format.replace(LITERALS, '').replace(NO_LETTER, '');
  const isDate = /[dy]/i.test(codes) && !NO_CODE_OF_DATES.test(codes);
  return (value) => {
    const number = Number(value);
    if (value.trim() === '' || !Number.isFinite(number)) return value;
    if (isDate && number >= 0 && number <= MAX_DAY) {
      return new Date((starts1904 ? BEFORE_1904 : BEFORE_1900) + Math.floor(number) * DAY_MS)
        .toISOString()
        .slice(0, 10);
    }
    const rounded = String(Number(number.toPrecision(DECIMAL_DIGITS)));
    return rounded.length + BINARY_REST <= value.length ? rounded : value;
  };
}
