import { PAGE_BREAK } from '../../shared/text/page-breaks.js';

/** Groups whose content is no text of the document. Those marked with `\*` that are not known are none either. */
export const SKIPPED_DESTINATIONS = new Set([
  ...['fonttbl', 'colortbl', 'stylesheet', 'info', 'listtable', 'listoverridetable', 'filetbl', 'revtbl'],
  ...['header', 'headerl', 'headerr', 'headerf', 'footer', 'footerl', 'footerr', 'footerf'],
  ...[
    'pict',
    'objdata',
    'objclass',
    'sp',
    'shprslt',
    'nonshppict',
    'fldinst',
    'tc',
    'tcn',
    'xe',
    'rxe',
    'txe',
  ],
  ...['ftnsep', 'ftnsepc', 'ftncn', 'aftnsep', 'aftnsepc', 'aftncn', 'nonesttables', 'template', 'atnid'],
  ...['pntxta', 'pntxtb', 'pn', 'shpinst', 'upr', 'annotation', 'private'],
]);

/** Marked with `\*`, but read: row ends of tables in tables. */
export const READ_DESTINATIONS = new Set(['nesttableprops', 'shptxt', 'ud']);

/** Control words that stand for characters. */
export const CHARACTER_WORDS = new Map([
  ['tab', '\t'],
  ['line', '\n'],
  ['lbr', '\n'],
  ['page', PAGE_BREAK],
  ['emdash', '—'],
  ['endash', '–'],
  ['emspace', ' '],
  ['enspace', ' '],
  ['qmspace', ' '],
  ['bullet', '•'],
  ['lquote', '‘'],
  ['rquote', '’'],
  ['ldblquote', '“'],
  ['rdblquote', '”'],
  ['~', '\u00a0'],
  ['_', '\u2011'],
  // Cells of a table in a cell of a table.
  ['nestcell', ' '],
  ['nestrow', ' '],
]);
