import { readRelationships } from '../office-relationships.js';
import { corruptFileError } from '../parse-error.js';
import { childElements, elementAt } from '../xml-tree.js';
import type { ZipParts } from '../zip-parts.js';

/** Names of the slides' parts, in the order of the presentation. */
export async function findSlides(parts: ZipParts): Promise<string[]> {
  const [main] = (await readRelationships(parts, '')).filter(({ type }) => type === 'officeDocument');
  const path = main?.path ?? 'ppt/presentation.xml';
  const presentation = await parts.xml(path);
  const relations = new Map((await readRelationships(parts, path)).map(({ id, path }) => [id, path]));
  const list = elementAt(presentation, 'sldIdLst');
  const listed = list
    ? childElements(list, 'sldId').map(({ attributes }) => relations.get(attributes['r:id'] ?? ''))
    : [];
  const slides = listed.filter((slide) => slide !== undefined);
  const found = slides.length > 0 ? slides : slidesByName(parts);
  if (!presentation && found.length === 0) throw corruptFileError('presentation');
  return found;
}

/** Where the list is damaged, the number in the name is the order in which the slides were made. */
function slidesByName({ names }: ZipParts): string[] {
  const numbered = names.flatMap((name) => {
    const number = /^ppt\/slides\/slide(\d+)\.xml$/.exec(name)?.[1];
    return number ? [{ name, number: Number(number) }] : [];
  });
  return numbered.sort((a, b) => a.number - b.number).map(({ name }) => name);
}
