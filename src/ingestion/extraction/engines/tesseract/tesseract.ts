import { EndpointError } from '../../../../model-endpoint/endpoint-error.js';
import type { ExtractionEngine } from '../../extraction-engine.js';
import { toTesseractLanguage } from '../../languages/tesseract-languages.js';
import type { TesseractProgram } from './find-tesseract.js';
import { groupLanguages, type LanguageGroup } from './language-groups.js';
import { type RecognizedPage, readTsv } from './read-tsv.js';
import { runTesseract } from './run-tesseract.js';

const PICTURES = ['image/png', 'image/jpeg', 'image/webp', 'image/tiff'];
/** Words of a page in the right script have more on average, others far less. */
const SURE = 75;
/** Models of other scripts read Latin letters as well, but neither accents nor umlauts: a page with a smaller share is not theirs. */
const MIN_OWN_LETTERS = 0.1;
/** Characters that are looked at. */
const SAMPLE = 20_000;

type ReadPage = RecognizedPage & { group: LanguageGroup };

/**
 * The program Tesseract on this machine. Models of one script read a page together; where they are not sure of it, those of
 * the next script try, and the surest text is taken. The script of the page before comes first.
 *
 * @param languages tags of BCP 47, the most common one first; empty: all that are installed
 */
export function createTesseractEngine(
  { version, languages: installed }: TesseractProgram,
  languages: readonly string[],
): ExtractionEngine {
  const wanted = languages.map((tag) => toTesseractLanguage(tag) ?? '');
  const missing = wanted.filter((language) => !installed.includes(language));
  const used =
    languages.length === 0 ? byPreference(installed) : wanted.filter((one) => installed.includes(one));
  let groups = groupLanguages(used);
  return {
    name: 'tesseract',
    version: `tesseract ${version} ${used.join('+')}`,
    accepts: (mediaType) => PICTURES.includes(mediaType),

    async extract({ path }, signal) {
      let best: ReadPage | undefined;
      for (const group of groups) {
        const page = { ...(await readTsv(await runTesseract(path, group.models, signal))), group };
        if (!best || score(page) > score(best)) best = page;
        if (best.words > 0 && best.confidence >= SURE && isOwn(best)) break;
      }
      if (best && best.words > 0) groups = [best.group, ...groups.filter((group) => group !== best.group)];
      return { mediaType: 'text/plain', pages: [best?.text ?? ''] };
    },

    async check() {
      if (used.length === 0) throw noModel(missing);
      const without = missing.length > 0 ? `; not installed: ${missing.join(', ')}` : '';
      return `Tesseract ${version} with ${used.join(', ')}${without}`;
    },
  };
}

/** English first: a page without words in any script is asked once. */
const byPreference = (languages: readonly string[]): string[] =>
  [...languages].sort((a, b) => Number(b === 'eng') - Number(a === 'eng'));

/** Few sure words are worth less than many. */
const score = (page: ReadPage): number => (isOwn(page) ? page.confidence * Math.log2(1 + page.words) : 0);

function isOwn({ text, group }: ReadPage): boolean {
  if (group.isLatin) return true;
  const letters = text.slice(0, SAMPLE).match(/\p{L}/gu) ?? [];
  const latin = letters.filter((letter) => /\p{Script=Latin}/u.test(letter));
  return letters.length - latin.length >= MIN_OWN_LETTERS * letters.length;
}

const noModel = (missing: string[]) =>
  new EndpointError(
    'extraction',
    'not-found',
    `Tesseract has none of the languages of EXTRACTION_LANGUAGES (${missing.join(', ')}).`,
  );
