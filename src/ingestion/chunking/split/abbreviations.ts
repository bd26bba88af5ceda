const TITLES =
  'mr mrs ms mx dr prof rev hon gen col capt cpt lt sgt maj adm gov sen rep pres st ste sr jr messrs mme mlle mgr me ' +
  'hr fr frl ing dipl mag sra srta dña ud uds vd vds exmo exma sig dott avv dhr mevr drs ir tov г-н г-жа проф им';
const CONNECTIVES =
  'vs cf viz approx al resp incl excl esp ibid ca ggf bzw vgl evtl sog inkl zzgl bspw usf gem lt ebd bijv ' +
  'zgn resp env ej ex напр см ср';
const BEFORE_NUMBERS =
  'no nos nr nrn núm nº fig figs eq eqs sec secs vol vols p pp pg pág págs pag art arts abs ch chap para par cl tab ' +
  'bd hrsg aufl kap ziff anm rz tel ext app ed n°  ст стр гл рис табл';
const MONTHS =
  'Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Jahrhundert|Jh|Klasse|' +
  'januar|februar|marts|mars|april|maj|mai|juni|juli|august|september|oktober|november|desember|december';

const always = new Set(`${TITLES} ${CONNECTIVES}`.split(/\s+/));
const beforeNumbers = new Set(BEFORE_NUMBERS.split(/\s+/));
const LAST_WORD = /(?<![\p{L}.°º-])[\p{L}.°º-]+$/u;
/** One letter, or letters with full stops between them: initials, `U.S`, `z.B`, `т.е`. */
const LETTERS = /^(?:\p{L}\.)*\p{L}$/u;
const ORDINAL = /(?:^|[^\p{L}\p{N}])\d{1,2}$/u;
const AFTER_ORDINAL = new RegExp(`^\\s+(?:${MONTHS})(?!\\p{L})`, 'u');
const NUMBERING = /(?:^|\n)[ \t]*\d{1,3}$/;

/**
 * Whether a full stop between these two belongs to an abbreviation, an initial, an ordinal ("am 3. Mai") or an
 * item's number, in the languages of Europe, rather than ending a sentence.
 */
export function isAbbreviated(before: string, after: string): boolean {
  const word = LAST_WORD.exec(before)?.[0].replace(/^\.+/, '') ?? '';
  if (word === '') return NUMBERING.test(before) || (ORDINAL.test(before) && AFTER_ORDINAL.test(after));
  if (LETTERS.test(word)) return true;
  const folded = word.toLowerCase();
  return always.has(folded) || (beforeNumbers.has(folded) && /^\s*[\d(§IVX]/.test(after));
}
