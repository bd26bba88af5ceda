import { corruptFileError } from '../../errors.js';
import { type Relationship, readRelationships } from '../../shared/xml/office-relationships.js';
import { childElements, elementAt } from '../../shared/xml/xml-tree.js';
import type { ZipParts } from '../../shared/zip/zip-parts.js';

export interface Presentation {
  /** Names of the slides' parts, each once, in the order of the presentation. */
  slides: string[];
  /** All that the presentation refers to. */
  related: Relationship[];
}

/** @throws ParseError `corrupt` where no slide is found */
export async function findSlides(parts: ZipParts): Promise<Presentation> {
  const related = (await readRelationships(parts, '').catch(() => [])).filter(
    ({ type }) => type === 'officeDocument',
  );
  const path = related[0]?.path ?? 'ppt/presentation.xml';
  const presentation = await parts.xml(path).catch(() => undefined);
  const relations = await readRelationships(parts, path).catch(() => []);
  const paths = new Map(relations.map(({ id, path }) => [id, path]));
  const list = elementAt(presentation, 'sldIdLst');
  const listed = list
    ? childElements(list, 'sldId').map(({ attributes }) => paths.get(attributes['r:id'] ?? ''))
    : [];
  const slides = new Set(listed.filter((slide) => slide !== undefined));
  const found = slides.size > 0 ? [...slides] : slidesByName(parts);
  if (!presentation && found.length === 0) throw corruptFileError('presentation');
  return { slides: found, related: relations };
}

/** Where the list is damaged, the number in the name is the order in which the slides were made. */
function slidesByName({ names }: ZipParts): string[] {
  const numbered = names.flatMap((name) => {
    const number = /^ppt\/slides\/slide(\d+)\.xml$/i.exec(name)?.[1];
    return number ? [{ name, number: Number(number) }] : [];
  });
  return numbered.sort((a, b) => a.number - b.number).map(({ name }) => name);
}
