/** Elements of feeds and of DocBook, JATS, DITA and TEI whose first child may be their title. */
const SECTIONS = new Set(
  [
    'channel item feed entry book part chapter appendix preface article section sect1 sect2 sect3 sect4 sect5',
    'simplesect sec topic concept task reference div front-matter example sidebar note',
  ]
    .join(' ')
    .split(' '),
);
const PROSE = new Set(
  'p para simpara paragraph formalpara quote blockquote li shortdesc ab lg head'.split(' '),
);
const PREFORMATTED = new Set(
  'pre programlisting screen literallayout codeblock code-block preformat'.split(' '),
);
const CELLS = new Set(['td', 'th', 'entry', 'cell']);
/** What programs need, and readers do not. */
const TECHNICAL = /^(?:xmlns|xml:|xsi:|class$|style$|version$|xlink:type)/;
const MAX_ATTRIBUTE = 500;

export const isSection = (name: string) => SECTIONS.has(name);
export const isProse = (name: string) => PROSE.has(name);
export const isPreformatted = (name: string) => PREFORMATTED.has(name);
export const isCell = (name: string) => CELLS.has(name);

/** Attributes that say something; those of prose are about its looks. */
export function contentAttributes(name: string, attributes: Record<string, string>): [string, string][] {
  if (isProse(name) || isPreformatted(name) || isCell(name)) return [];
  return Object.entries(attributes).filter(
    ([key, value]) => !TECHNICAL.test(key) && /[\p{L}\p{N}]/u.test(value) && value.length <= MAX_ATTRIBUTE,
  );
}

/** A name without its prefix. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Named characters that XML does not know, but writers of XML use. */
export const NAMED_CHARACTERS = {
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  euro: '€',
  deg: '°',
  middot: '·',
  bull: '•',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  times: '×',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  ecirc: 'ê',
  agrave: 'à',
  acirc: 'â',
  ccedil: 'ç',
  ntilde: 'ñ',
};
