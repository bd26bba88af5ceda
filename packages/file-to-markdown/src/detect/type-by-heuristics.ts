import type { SubType } from '../types.js';

const HTML_ELEMENT =
  /^<(?:a|article|b|blockquote|br|center|div|dl|em|font|form|h[1-6]|hr|i|img|li|link|main|meta|ol|p|pre|script|section|span|strong|style|table|title|ul)(?:\s[^<>]*)?\/?>/i;
const XML_ELEMENT = /^<([A-Za-z_][\w.:-]*)(?:\s[^<>]*)?>/;
const YAML_LINE = /^\s*(?:#.*|-(?:\s.*)?|[\w."'/-][\w ."'/-]*:(?:\s.*)?)$/;
const KEY = /^[^\S\n\r\u2028\u2029]*[\w."'/-]+:(?:\s|$)/m;
const LEADING_COMMENT = /^<!--[\s\S]{0,10000}?-->\s*/;
/** Lines that have to agree. */
const MIN_LINES = 3;
const MAX_LINES = 50;

/** Detects the type of a text by heuristics, when neither media type nor file name determine it. */
export function typeByHeuristics(text: string, isWhole: boolean): SubType | undefined {
  const head = text.replace(LEADING_COMMENT, '');
  if (HTML_ELEMENT.test(head)) return 'html';
  if (isElement(head, isWhole)) return 'xml';
  if (isYaml(head)) return 'yaml';
  return delimitedType(isWhole ? head : head.slice(0, head.lastIndexOf('\n')));
}

function isElement(head: string, isWhole: boolean): boolean {
  const name = XML_ELEMENT.exec(head)?.[1];
  if (!name) return false;
  return isWhole ? head.trimEnd().endsWith(`</${name}>`) : /<\/[\w.:-]+>/.test(head);
}

/** Only with the line that begins a YAML document, and if that is not the first of two around front matter. */
function isYaml(head: string): boolean {
  if (!/^(?:%YAML|---[ \t]*\r?\n)/.test(head)) return false;
  const lines = head.split(/\r?\n/).slice(1, -1);
  const filled = lines.filter((line) => line.trim());
  return (
    filled.length > 1 &&
    !lines.includes('---') &&
    KEY.test(head) &&
    filled.every((line) => YAML_LINE.test(line))
  );
}

/** Rows of as many fields each; a comma in prose is followed by a blank, and not equally often in every line. */
function delimitedType(text: string): 'csv' | 'tsv' | undefined {
  const lines = text
    .replace(/"(?:[^"]|"")*"/g, 'q')
    .split(/\r?\n/)
    .filter((line) => line.trim())
    .slice(0, MAX_LINES);
  if (lines.length < MIN_LINES) return undefined;
  const isDelimiter = (delimiter: string, fields: number) => {
    const rows = lines.map((line) => line.split(delimiter));
    const isEven = rows.every((row) => row.length === rows[0]?.length && row.length >= fields);
    // Code ends its lines in semicolons and begins them with tabs.
    return isEven && rows.some((row) => row.at(-1)?.trim()) && rows.some((row) => row[0]?.trim());
  };
  if (isDelimiter('\t', 2)) return 'tsv';
  if (isDelimiter(';', 2) && !/[;{}]\s*$/m.test(text)) return 'csv';
  if (isDelimiter(',', 3) && !lines.slice(1).some((line) => /, /.test(line))) return 'csv';
  if (isDelimiter('|', 3) && !lines.some((line) => /^\s*\|/.test(line))) return 'csv';
  return undefined;
}
