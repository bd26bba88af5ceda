import { descendants, elementAt, textContent } from '../../shared/xml/xml-tree.js';
import type { ZipParts } from '../../shared/zip/zip-parts.js';

/**
 * The title in the properties, if somebody wrote it there. PowerPoint enters its own name, or what it calls the
 * slides that have no title ("Slide 1", "Folie 1"), which it also lists as titles of the parts.
 */
export async function documentTitle(parts: ZipParts): Promise<string | undefined> {
  const properties = await parts.xml('docProps/core.xml').catch(() => undefined);
  const title = textContent(elementAt(properties, 'title')).trim();
  if (!title || /PowerPoint/i.test(title)) return undefined;
  const program = await parts.xml('docProps/app.xml').catch(() => undefined);
  const listed = elementAt(program, 'TitlesOfParts');
  const titles = listed ? [...descendants(listed, 'lpstr')].map((one) => textContent(one).trim()) : [];
  return titles.includes(title) ? undefined : title;
}
