const IMAGE_NAME = /\.(?:png|jpe?g|gif|bmp|tiff?|svg|webp|emf|wmf|eps|ico|heic|avif)$/i;
const WORD = /[\p{L}\p{N}]+/gu;
const IDEOGRAPHS = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]/gu;
const MIN_WORDS = 3;
const MIN_IDEOGRAPHS = 6;
/** What programs that describe pictures themselves put below, such as "Description automatically generated". */
const MAX_NOTE = 60;

/**
 * The alternative text of a picture where it says what is to be seen. A file's name or a word or two, such as
 * "Cover" or "Picture 3", say nothing.
 */
export function imageDescription(alternativeText: string | undefined): string | undefined {
  const [description = '', note, ...more] = (alternativeText ?? '').trim().split(/(?:\r?\n){2}/);
  const isNoted = note !== undefined && more.length === 0 && note.length <= MAX_NOTE;
  const text = (isNoted ? description : (alternativeText ?? '')).replace(/\s+/g, ' ').trim();
  const words = text.match(WORD)?.length ?? 0;
  const ideographs = text.match(IDEOGRAPHS)?.length ?? 0;
  if (isImageName(text) || (words < MIN_WORDS && ideographs < MIN_IDEOGRAPHS)) return undefined;
  return text;
}

export const isImageName = (text: string): boolean => IMAGE_NAME.test(text.trim());
