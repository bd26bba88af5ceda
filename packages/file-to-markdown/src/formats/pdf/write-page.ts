import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFPageLeaf,
  PDFRawStream,
  PDFStream,
} from '@cantoo/pdf-lib';

/** What a page is drawn with. Others lead to other pages, or to the structure of the whole document. */
const PAGE_KEYS = [
  'Type',
  'Parent',
  'Contents',
  'Resources',
  'MediaBox',
  'CropBox',
  'Rotate',
  'UserUnit',
  'Group',
];
const ANNOTATION_KEYS = ['Type', 'Subtype', 'Rect', 'F', 'AP', 'AS'];
/** Are not drawn. */
const UNDRAWN = ['Link', 'Popup'];
/** May hold the images and fonts of the whole document, as some programs give all pages the same. */
const LARGE = ['XObject', 'Font'];
/** Bytes, as compressed. */
const MAX_CONTENT = 10 * 2 ** 20;
const NAME = /\/([^\0\s()<>[\]{}/%]+)/g;

/**
 * A PDF with one page of a document, as it is drawn: form fields with what they show, and no links.
 *
 * @param number from 1
 */
export async function writePage(document: PDFDocument, number: number): Promise<Uint8Array> {
  const { node } = document.getPage(number - 1);
  const annotations = drawnAnnotations(node);
  const resources = usedResources(node);
  for (const key of node.keys()) if (!PAGE_KEYS.includes(key.decodeText())) node.delete(key);
  if (annotations) node.set(PDFName.of('Annots'), annotations);
  if (resources) node.set(PDFName.of('Resources'), resources);
  const single = await PDFDocument.create({ updateMetadata: false });
  const [page] = await single.copyPages(document, [number - 1]);
  if (page) single.addPage(page);
  return single.save();
}

function drawnAnnotations(node: PDFPageLeaf): PDFArray | undefined {
  const all = node.Annots();
  if (!all) return undefined;
  const drawn = node.context.obj([]);
  for (let index = 0; index < all.size(); index++) {
    const annotation = all.lookup(index);
    if (!(annotation instanceof PDFDict) || !annotation.has(PDFName.of('AP'))) continue;
    const type = annotation.lookup(PDFName.of('Subtype'));
    if (type instanceof PDFName && UNDRAWN.includes(type.decodeText())) continue;
    drawn.push(subset(annotation, (key) => ANNOTATION_KEYS.includes(key)));
  }
  return drawn;
}

/** Undefined where that is all of them, or not clear. */
function usedResources(node: PDFPageLeaf): PDFDict | undefined {
  const all = node.Resources();
  const names = namesIn(node);
  if (!all || !names) return undefined;
  const used = subset(all, () => true);
  for (const kind of LARGE) {
    const named = all.lookup(PDFName.of(kind));
    if (!(named instanceof PDFDict)) continue;
    const some = subset(named, (name) => names.has(name));
    if (some.keys().some((key) => usesThoseOfPage(some.lookup(key)))) return undefined;
    used.set(PDFName.of(kind), some);
  }
  return used;
}

/** All names in the content of a page; a few more, in strings and images, do no harm. */
function namesIn(node: PDFPageLeaf): Set<string> | undefined {
  const content = node.Contents();
  const streams =
    content instanceof PDFArray ? content.asArray().map((_, index) => content.lookup(index)) : [content];
  const names = new Set<string>();
  let size = 0;
  for (const stream of streams) {
    if (!(stream instanceof PDFRawStream)) return undefined;
    size += stream.contents.length;
    if (size > MAX_CONTENT) return undefined;
    const text = Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1');
    for (const [, name = ''] of text.matchAll(NAME)) names.add(PDFName.of(name).decodeText());
  }
  return names;
}

/** Old forms and fonts that are drawn use the resources of the page. */
function usesThoseOfPage(object: unknown): boolean {
  const dict = object instanceof PDFStream ? object.dict : object;
  if (!(dict instanceof PDFDict) || dict.has(PDFName.of('Resources'))) return false;
  const type = dict.lookup(PDFName.of('Subtype'));
  return type === PDFName.of('Form') || type === PDFName.of('Type3');
}

function subset(dict: PDFDict, isKept: (key: string) => boolean): PDFDict {
  const some = dict.context.obj({});
  for (const [key, value] of dict.entries()) if (isKept(key.decodeText())) some.set(key, value);
  return some;
}
