import path from 'node:path/posix';
import { SaxesParser } from 'saxes';
import type { Truth } from '../score.js';
import { countWords } from '../words.js';
import { openZip } from './read-zip.js';
import { localName, readXmlText, type TextRules } from './xml-text.js';

const INLINE = new Set(
  'a abbr b bdi bdo big cite code data del dfn em font i ins kbd mark q rb rbc ruby s samp small span strike strong sub sup time tt u var wbr mi mn mo mrow'.split(
    ' ',
  ),
);

const XHTML: TextRules = {
  only: new Set(['body']),
  skipped: new Set(['script', 'style', 'template']),
  allowed: new Set([
    'rt',
    'rp',
    'rtc',
    'annotation',
    'annotation-xml',
    'noscript',
    'audio',
    'video',
    'object',
  ]),
  divides: (name) => !INLINE.has(name),
  attributes: ['alt', 'title', 'alttext', 'aria-label'],
};

/** The words of the bodies in the spine; a table of contents there is allowed and not required. */
export async function epubTruth(file: string): Promise<Truth> {
  const zip = await openZip(file);
  try {
    const container = elements((await zip.read('META-INF/container.xml')) ?? '');
    const packageFile = container.find(({ name }) => name === 'rootfile')?.attributes['full-path'] ?? '';
    const parts = elements((await zip.read(packageFile)) ?? '');
    const items = new Map(
      parts.filter(({ name }) => name === 'item').map(({ attributes }) => [attributes.id, attributes]),
    );
    const texts = { required: '', allowed: '' };
    for (const { name, attributes } of parts) {
      const item = name === 'itemref' ? items.get(attributes.idref ?? '') : undefined;
      if (!item?.href || item['media-type'] !== 'application/xhtml+xml') continue;
      const source = await zip.read(path.join(path.dirname(packageFile), decodeURIComponent(item.href)));
      const { required, allowed } = readXmlText(source ?? '<html/>', XHTML);
      const isContents = item.properties?.split(/\s+/).includes('nav');
      texts[isContents ? 'allowed' : 'required'] += ` ${required} `;
      texts.allowed += ` ${allowed} `;
    }
    return { required: countWords(texts.required), allowed: countWords(texts.allowed) };
  } finally {
    zip.close();
  }
}

interface Element {
  name: string;
  attributes: Record<string, string>;
}

function elements(xml: string): Element[] {
  const found: Element[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => found.push({ name: localName(name), attributes }));
  parser.write(xml).close();
  return found;
}
