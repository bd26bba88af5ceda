import { ParseError } from '../../errors.js';
import { readRelationships } from '../../shared/xml/office-relationships.js';
import {
  childElements,
  descendants,
  elementAt,
  textContent,
  type XmlElement,
} from '../../shared/xml/xml-tree.js';
import type { ZipParts } from '../../shared/zip/zip-parts.js';
import type { TextBudget } from '../../text-budget.js';
import type { ParseInput } from '../../types.js';

/** A comment on a cell; replies are comments of their own. */
export interface CellComment {
  author: string;
  text: string;
  /** As in `B3`. */
  cell: string;
  /** From 0. */
  row: number;
  column: number;
}

const CELL = /^([A-Z]{1,3})([1-9]\d{0,6})$/;
/** What older programs show in place of a thread says this instead of a name. */
const INSTEAD_OF_THREAD = 'tc=';
/** What a sheet refers to, by the types of the relations. */
const NOTES = 'comments';
const THREADS = 'threadedComment';

/**
 * The comments on the cells of each sheet, in the order of the sheets and their cells; those of a damaged part are
 * reported and left out.
 *
 * @param sheets their parts
 * @throws FileError `too_much_text`: one part may be that of thousands of sheets
 */
export async function readComments(
  parts: ZipParts,
  sheets: readonly (string | undefined)[],
  budget: TextBudget,
  warn: ParseInput['warn'],
): Promise<CellComment[][]> {
  const xml = async (path: string) => {
    try {
      return await parts.xml(path);
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      warn?.('unreadable_parts', { name: path });
      return undefined;
    }
  };
  const names = await readNames(parts, xml);
  const known = new Map<string, CellComment[]>();
  const partOf = async (type: string, path: string) => {
    const found = known.get(path) ?? readPart(type, await xml(path), names);
    known.set(path, found);
    return found;
  };
  const all: CellComment[][] = [];
  let characters = 0;
  for (const path of sheets) {
    const found = path === undefined ? [] : await readSheet(path, parts, partOf);
    characters += found.reduce((sum, { text }) => sum + text.length, 0);
    budget.assertAvailable(characters);
    all.push(found);
  }
  return all;
}

type ReadXml = (path: string) => Promise<XmlElement | undefined>;
type ReadPart = (type: string, path: string) => Promise<CellComment[]>;

/** Names of people by their ids, as threads refer to them. */
async function readNames(parts: ZipParts, xml: ReadXml): Promise<Map<string, string>> {
  const workbook = (await readRelationships(parts, '')).find(({ type }) => type === 'officeDocument');
  const related = workbook ? await readRelationships(parts, workbook.path) : [];
  const names = new Map<string, string>();
  for (const { path } of related.filter(({ type }) => type === 'person')) {
    const root = await xml(path);
    for (const { attributes } of root ? childElements(root, 'person') : []) {
      names.set(attributes.id ?? '', attributes.displayName ?? '');
    }
  }
  return names;
}

async function readSheet(sheet: string, parts: ZipParts, partOf: ReadPart): Promise<CellComment[]> {
  const relations = (await readRelationships(parts, sheet)).filter(({ path }) => /\.xml$/i.test(path));
  const pathsOf = (wanted: string) =>
    new Set(relations.filter(({ type }) => type === wanted).map(({ path }) => path));
  const notes: CellComment[][] = [];
  for (const path of pathsOf(NOTES)) notes.push(await partOf(NOTES, path));
  const threads: CellComment[][] = [];
  for (const path of pathsOf(THREADS)) threads.push(await partOf(THREADS, path));
  const threaded = new Set(threads.flat().map(({ cell }) => cell));
  const others = notes
    .flat()
    .filter(({ author, cell }) => !author.startsWith(INSTEAD_OF_THREAD) || !threaded.has(cell));
  return [...others.map(named), ...threads.flat()].sort((a, b) => a.row - b.row || a.column - b.column);
}

function readPart(type: string, root: XmlElement | undefined, names: Map<string, string>): CellComment[] {
  if (!root) return [];
  return type === NOTES ? readNotes(root) : readThreads(root, names);
}

function readNotes(root: XmlElement): CellComment[] {
  const list = elementAt(root, 'authors');
  const authors = list ? childElements(list, 'author').map(textContent) : [];
  const comments = elementAt(root, 'commentList');
  return (comments ? childElements(comments, 'comment') : []).flatMap((comment) => {
    const { ref, authorId } = comment.attributes;
    // Readings over characters are no part of the text.
    const runs = [...descendants(comment, 't')].map(textContent);
    return at(ref, authors[Number(authorId)] ?? '', runs.join(''));
  });
}

/** Excel begins a note with the name of its author, and gives threads the place of one. */
function named(comment: CellComment): CellComment {
  const { author, text } = comment;
  if (author.startsWith(INSTEAD_OF_THREAD)) return { ...comment, author: '' };
  const lead = `${author}:`;
  return author && text.trimStart().startsWith(lead)
    ? { ...comment, text: text.trimStart().slice(lead.length) }
    : comment;
}

function readThreads(root: XmlElement, names: Map<string, string>): CellComment[] {
  return childElements(root, 'threadedComment').flatMap((comment) => {
    const { ref, personId = '' } = comment.attributes;
    return at(ref, names.get(personId) ?? '', textContent(elementAt(comment, 'text')));
  });
}

function at(ref: string | undefined, author: string, text: string): CellComment[] {
  const [, letters = '', digits] = CELL.exec(ref ?? '') ?? [];
  if (!letters || !text.trim()) return [];
  const column = [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
  return [{ author: author.trim(), text, cell: `${letters}${digits}`, row: Number(digits) - 1, column }];
}
