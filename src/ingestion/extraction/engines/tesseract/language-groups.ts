/** Models of scripts other than Latin, by what they begin with. */
const SCRIPTS: Record<string, string> = {
  chi_sim: 'Hans',
  chi_tra: 'Hant',
  jpn: 'Jpan',
  kor: 'Kore',
  ara: 'Arab',
  fas: 'Arab',
  urd: 'Arab',
  heb: 'Hebr',
  yid: 'Hebr',
  ell: 'Grek',
  rus: 'Cyrl',
  ukr: 'Cyrl',
  bel: 'Cyrl',
  bul: 'Cyrl',
  srp: 'Cyrl',
  mkd: 'Cyrl',
  kaz: 'Cyrl',
  hin: 'Deva',
  mar: 'Deva',
  nep: 'Deva',
  tha: 'Thai',
  kat: 'Geor',
  hye: 'Armn',
  ben: 'Beng',
  tam: 'Taml',
  tel: 'Telu',
};

export interface LanguageGroup {
  isLatin: boolean;
  /** Such as `eng+deu`. */
  models: string;
}

/**
 * Models that read a page together: those of one script. With models of several scripts at once Tesseract takes longer, and
 * reads each of them less well: English and Chinese together, a tenth of the Chinese words are lost.
 *
 * @returns in the order in which the first language of each was given
 */
export function groupLanguages(languages: readonly string[]): LanguageGroup[] {
  const groups = new Map<string, string[]>();
  for (const language of languages) {
    const script = SCRIPTS[language] ?? SCRIPTS[language.split('_')[0] ?? ''] ?? 'Latn';
    const key = language.endsWith('_latn') ? 'Latn' : script;
    groups.set(key, [...(groups.get(key) ?? []), language]);
  }
  return [...groups].map(([script, group]) => ({ isLatin: script === 'Latn', models: group.join('+') }));
}
