import type { ParseInput } from '../../types.js';
import { openPdf } from './open.js';
import { MAX_PIXELS, readPagePicture } from './page-picture.js';

/**
 * Has pages that are pictures read. The file is opened once more, now with its pictures.
 *
 * @returns the Markdown of pages that were read, by their numbers
 */
export async function recognizePages(
  pageNumbers: readonly number[],
  { source, recognize, signal }: ParseInput,
): Promise<Map<number, string>> {
  const markdown = new Map<number, string>();
  if (!recognize || pageNumbers.length === 0) return markdown;
  const task = await openPdf(source, MAX_PIXELS);
  try {
    const document = await task.promise;
    for (const number of pageNumbers) {
      signal?.throwIfAborted();
      const page = await document.getPage(number);
      const read = async () => {
        const picture = await readPagePicture(page);
        if (!picture) throw new Error('The page has no picture that can be decoded.');
        return picture;
      };
      const pages = await recognize({ page: number, read });
      if (pages) markdown.set(number, pages.join('\n\n'));
      page.cleanup();
    }
  } finally {
    await task.destroy();
  }
  return markdown;
}
