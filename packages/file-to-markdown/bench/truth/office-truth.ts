import type { Truth } from '../score.js';
import { addWords, countWords, type Words } from '../words.js';
import { openZip } from './read-zip.js';
import { readXmlText, type TextRules } from './xml-text.js';

const PARAGRAPH_ENDS = new Set([
  'p',
  'br',
  'tab',
  'cr',
  'tc',
  'noBreakHyphen',
  'h',
  's',
  'line-break',
  'table-cell',
  'pt',
]);
const divides = (name: string) => PARAGRAPH_ENDS.has(name);

/** Which parts of an archive say what, by their names. */
interface PartRules {
  required: RegExp;
  allowed: RegExp;
  rules: TextRules;
}

const DOCX: PartRules = {
  required: /^word\/(?:document|footnotes|endnotes)\d*\.xml$/,
  allowed: /^word\/(?:header|footer|comments|charts\/chart|diagrams\/data)\d*\.xml$|^docProps\/core\.xml$/,
  rules: {
    only: new Set(['t', 'title', 'v']),
    skipped: new Set(['Fallback', 'moveFrom']),
    allowed: new Set(['oMath', 'oMathPara']),
    divides,
    attributes: ['descr', 'title', 'name'],
  },
};

const PPTX: PartRules = {
  required: /^ppt\/(?:slides\/slide|diagrams\/data)\d*\.xml$/,
  allowed: /^ppt\/(?:notesSlides\/notesSlide|charts\/chart|comments\/\w*)\d*\.xml$|^docProps\/core\.xml$/,
  rules: {
    only: new Set(['t', 'title', 'v', 'text']),
    skipped: new Set(['Fallback']),
    allowed: new Set(['fld', 'oMath', 'oMathPara']),
    // Date, footer and number, which are the same on each slide.
    allowedRest: {
      of: 'sp',
      from: (name, { type }) => name === 'ph' && /^(?:dt|ftr|hdr|sldNum)$/.test(type ?? ''),
    },
    divides,
    attributes: ['descr', 'title', 'name'],
  },
};

const ODT: PartRules = {
  required: /^content\.xml$/,
  allowed: /^(?:styles|meta)\.xml$/,
  rules: {
    only: new Set(['p', 'h', 'title']),
    skipped: new Set(['tracked-changes', 'script', 'forms', 'automatic-styles', 'font-face-decls']),
    allowed: new Set(['annotation', 'note-citation', 'ruby-text', 'title', 'desc', 'page-number']),
    divides,
  },
};

export const docxTruth = (file: string): Promise<Truth> => readParts(file, DOCX);
export const pptxTruth = (file: string): Promise<Truth> => readParts(file, PPTX);
export const odtTruth = (file: string): Promise<Truth> => readParts(file, ODT);

async function readParts(file: string, { required, allowed, rules }: PartRules): Promise<Truth> {
  const zip = await openZip(file);
  try {
    const truth: { required: Words; allowed: Words } = { required: new Map(), allowed: new Map() };
    for (const name of zip.names) {
      const isRequired = required.test(name);
      if (!isRequired && !allowed.test(name)) continue;
      const texts = readXmlText((await zip.read(name)) ?? '', rules);
      const into = isRequired ? 'required' : 'allowed';
      truth[into] = addWords(truth[into], countWords(texts.required));
      truth.allowed = addWords(truth.allowed, countWords(texts.allowed));
    }
    return truth;
  } finally {
    zip.close();
  }
}
