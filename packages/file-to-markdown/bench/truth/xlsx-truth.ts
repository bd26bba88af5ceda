import { SaxesParser } from 'saxes';
import type { Truth } from '../score.js';
import { countWords } from '../words.js';
import { openZip } from './read-zip.js';
import { localName, readXmlText } from './xml-text.js';

const BESIDE_CELLS =
  /^xl\/(?:comments\d*|threadedComments\/.*|comments\/.*|charts\/chart\d*|drawings\/drawing\d*)\.xml$/;
const RULES = { only: new Set(['t', 'v', 'text', 'author']), divides: () => true };

/**
 * The words of cells with text; numbers, whose words depend on their format, are allowed as they are stored, and so are
 * comments, charts and what is drawn.
 */
export async function xlsxTruth(file: string): Promise<Truth> {
  const zip = await openZip(file);
  try {
    const shared = sharedTexts((await zip.read('xl/sharedStrings.xml')) ?? '<sst/>');
    const cells: Cells = { texts: [], numbers: [] };
    for (const name of zip.names.filter((name) => /^xl\/worksheets\/[^/]*\.xml$/.test(name))) {
      addCells(cells, (await zip.read(name)) ?? '', shared);
    }
    const allowed = cells.numbers;
    for (const name of zip.names.filter((name) => BESIDE_CELLS.test(name))) {
      allowed.push(readXmlText((await zip.read(name)) ?? '<x/>', RULES).required);
    }
    return { required: countWords(cells.texts.join('\n')), allowed: countWords(allowed.join('\n')) };
  } finally {
    zip.close();
  }
}

interface Cells {
  texts: string[];
  numbers: string[];
}

function sharedTexts(xml: string): string[] {
  const texts: string[] = [];
  let [inText, inPhonetic] = [false, false];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    if (localName(name) === 'si') texts.push('');
    inText = localName(name) === 't';
    inPhonetic ||= localName(name) === 'rPh';
  });
  parser.on('closetag', ({ name }) => {
    inText = false;
    if (localName(name) === 'rPh') inPhonetic = false;
  });
  parser.on('text', (text) => {
    if (inText && !inPhonetic) texts[texts.length - 1] += text;
  });
  parser.write(xml).close();
  return texts;
}

function addCells({ texts, numbers }: Cells, xml: string, shared: string[]): void {
  let [type, value, element] = ['', '', ''];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    element = localName(name);
    if (element === 'c') [type, value] = [String(attributes.t ?? ''), ''];
  });
  parser.on('text', (text) => {
    if (element === 'v' || element === 't') value += text;
  });
  parser.on('closetag', ({ name }) => {
    element = '';
    if (localName(name) !== 'c') return;
    if (type === 's') texts.push(shared[Number(value)] ?? '');
    else if (type === 'inlineStr' || type === 'str') texts.push(value);
    else numbers.push(value);
  });
  parser.write(xml).close();
}
