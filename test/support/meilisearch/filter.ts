import { ApiError, NotImplementedError } from './errors.js';
import type { Document, Index } from './indexes.js';
import type { FilterRule } from './settings.js';

interface Condition {
  attribute: string;
  operator: '=' | 'IN' | 'TO';
  values: string[];
}

const VALUE = /"([^"]*)"|([^\s",[\]()]+)/g;
const CONDITION = /^([\w.]+) (?:(=) (\S+)|(IN) \[([^\]]*)\]|(\d+ TO \d+))$/;

/** Text, or a list of which all hold; of a list in the list, one does. */
type Filter = string | (string | string[])[];

/** A test for documents: conditions with `=`, `IN` and `TO`, joined by `AND` or in lists. */
export function readFilter(
  given: Filter | undefined,
  index: Index,
  { code, where = '' }: { code: string; where?: string },
): (document: Document) => boolean {
  const read = (text: string) => {
    const conditions = text.split(' AND ').map(parseCondition);
    for (const condition of conditions) {
      const problem = findProblem(condition, index.settings.filterableAttributes);
      if (problem) throw new ApiError(400, code, `${where}${problem}`);
    }
    return (document: Document) => conditions.every((condition) => holds(condition, document));
  };
  const all = [given ?? []].flat(1).map((one) => [one].flat().map(read));
  return (document) => all.every((any) => any.some((passes) => passes(document)));
}

function parseCondition(text: string): Condition {
  const [, attribute = '', equals, value = '', isIn, list = '', range] = CONDITION.exec(text) ?? [];
  const operator = equals ? '=' : isIn ? 'IN' : range && 'TO';
  if (!operator) throw new NotImplementedError(`the filter \`${text}\``);
  if (range) return { attribute, operator: 'TO', values: range.split(' TO ') };
  const values = [...`${value}${list}`.matchAll(VALUE)].map(([, quoted, plain]) => quoted ?? plain ?? '');
  return { attribute, operator: equals ? '=' : 'IN', values };
}

/** The message ends where the real one goes on with the place in the filter. */
function findProblem({ attribute, operator }: Condition, rules: FilterRule[]): string | undefined {
  const rule = rules.find(({ attributePatterns }) =>
    attributePatterns.some((pattern) => isMatch(pattern, attribute)),
  );
  if (rule) {
    const { equality, comparison } = rule.features.filter;
    if (operator === 'TO' ? comparison : equality) return undefined;
    throw new NotImplementedError(`\`${operator}\` for \`${attribute}\``);
  }
  const names = [...new Set(rules.flatMap(({ attributePatterns }) => attributePatterns))].sort();
  const available = names.length
    ? `Available filterable attribute patterns are: ${names.map((name) => `\`${name}\``).join(', ')}.`
    : 'This index does not have configured filterable attributes.';
  return `Attribute \`${attribute}\` is not filterable. ${available}`;
}

/** Text is compared without regard to case and width. */
function holds({ attribute, operator, values }: Condition, document: Document): boolean {
  const held = [readValue(document, attribute)].flat().filter((value) => value !== undefined);
  if (operator !== 'TO') {
    const folded = values.map(fold);
    return held.some((value) => folded.includes(fold(String(value))));
  }
  const [lowest, highest] = values.map(Number);
  return held.some((value) => Number(value) >= lowest! && Number(value) <= highest!);
}

const isMatch = (pattern: string, attribute: string) =>
  pattern.endsWith('*') ? attribute.startsWith(pattern.slice(0, -1)) : attribute === pattern;

const readValue = (document: Document, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Document | undefined)?.[name], document);

const fold = (text: string) => text.normalize('NFKC').toLowerCase();
