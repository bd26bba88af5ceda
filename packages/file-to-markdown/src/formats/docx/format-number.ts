const ROMAN: [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
const MAX_ROMAN = 3999;
const MAX_REPEATED = 10;
const LATIN = [...'abcdefghijklmnopqrstuvwxyz'];
const RUSSIAN = [...'абвгдежзиклмнопрстуфхцчшщыэюя'];
const HAN = [...'〇一二三四五六七八九'];
const HAN_ZERO = [...'零一二三四五六七八九'];
const HAN_UNITS = ['', '十', '百', '千', '万'];
const LEGAL = [...'零壹贰叁肆伍陆柒捌玖'];
const LEGAL_UNITS = ['', '拾', '佰', '仟', '萬'];
const MAX_HAN = 99_999;

type Format = (number: number) => string | undefined;

/** The formats of ECMA-376 17.18.59 that are in use; by letters, `z` is followed by `aa`. */
const FORMATS: Record<string, Format> = {
  none: () => '',
  decimalZero: (number) => String(number).padStart(2, '0'),
  lowerRoman: roman,
  upperRoman: (number) => roman(number)?.toUpperCase(),
  lowerLetter: (number) => letters(number, LATIN),
  upperLetter: (number) => letters(number, LATIN)?.toUpperCase(),
  russianLower: (number) => letters(number, RUSSIAN),
  russianUpper: (number) => letters(number, RUSSIAN)?.toUpperCase(),
  ordinal: (number) => `${number}${ordinalEnding(number)}`,
  chineseCounting: (number) => counted(number, HAN_ZERO, HAN_UNITS),
  chineseCountingThousand: (number) => counted(number, HAN_ZERO, HAN_UNITS),
  taiwaneseCounting: (number) => counted(number, HAN_ZERO, HAN_UNITS),
  taiwaneseCountingThousand: (number) => counted(number, HAN_ZERO, HAN_UNITS),
  japaneseCounting: (number) => counted(number, HAN_ZERO, HAN_UNITS)?.replaceAll('零', ''),
  chineseLegalSimplified: (number) => counted(number, LEGAL, LEGAL_UNITS),
  ideographDigital: digits,
  taiwaneseDigital: digits,
  japaneseDigitalTenThousand: digits,
  ideographTraditional: (number) => [...'甲乙丙丁戊己庚辛壬癸'][number - 1],
  ideographZodiac: (number) => [...'子丑寅卯辰巳午未申酉戌亥'][number - 1],
  decimalEnclosedCircle: circled,
  decimalEnclosedCircleChinese: circled,
  ganada: (number) => [...'가나다라마바사아자차카타파하'][number - 1],
  chosung: (number) => [...'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ'][number - 1],
  aiueoFullWidth: (number) => [...'アイウエオカキクケコサシスセソタチツテトナニヌネノ'][number - 1],
  irohaFullWidth: (number) => [...'イロハニホヘトチリヌルヲワカヨタレソツネナラム'][number - 1],
};

/** A number as a list shows it; in digits where its format has no way to write it, or is not known. */
export function formatNumber(number: number, format: string): string {
  const known = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return known?.(number) ?? String(number);
}

function roman(number: number): string | undefined {
  if (number < 1 || number > MAX_ROMAN) return undefined;
  let rest = number;
  let text = '';
  for (const [value, sign] of ROMAN) {
    text += sign.repeat(Math.floor(rest / value));
    rest %= value;
  }
  return text;
}

function letters(number: number, alphabet: readonly string[]): string | undefined {
  const repeated = Math.ceil(number / alphabet.length);
  if (number < 1 || repeated > MAX_REPEATED) return undefined;
  return alphabet[(number - 1) % alphabet.length]?.repeat(repeated);
}

function ordinalEnding(number: number): string {
  const isTeen = Math.floor((number % 100) / 10) === 1;
  return (!isTeen && ['th', 'st', 'nd', 'rd'][number % 10]) || 'th';
}

function digits(number: number): string {
  return [...String(number)].map((digit) => HAN[Number(digit)] ?? digit).join('');
}

function circled(number: number): string | undefined {
  return number >= 1 && number <= 20 ? String.fromCodePoint(0x2460 + number - 1) : undefined;
}

/** As one counts in Chinese: `十二`, `二百零三`. */
function counted(number: number, numerals: readonly string[], units: readonly string[]): string | undefined {
  if (number < 1 || number > MAX_HAN) return undefined;
  const text = [...String(number)]
    .map((digit, index, all) =>
      digit === '0' ? '0' : `${numerals[Number(digit)]}${units[all.length - 1 - index]}`,
    )
    .join('')
    .replace(/0{1,5}$/, '')
    .replace(/0{1,5}/g, numerals[0] as string);
  return text.startsWith('一十') ? text.slice(1) : text;
}
