import { NotImplementedError } from './errors.js';
import { type Filter, FilterError } from './filter.js';
import type { FilterRule } from './settings.js';

type Value = string | number | boolean | null | undefined;

/** Refuses attributes and comparisons that the settings do not allow. Searches show the filter as they rewrote it. */
export function checkFilter(filter: Filter, rules: FilterRule[], isRewritten: boolean, whole = filter): void {
  if (filter.kind !== 'condition') {
    for (const part of filter.of) checkFilter(part, rules, isRewritten, whole);
    return;
  }
  const { attribute, operator, source } = filter;
  const patterns = rules.flatMap((rule) => (typeof rule === 'string' ? [rule] : rule.attributePatterns));
  if (patterns.some((pattern) => pattern.includes('*')))
    throw new NotImplementedError('patterns of attributes');
  const place = rules.findIndex((rule) =>
    typeof rule === 'string' ? rule === attribute : rule.attributePatterns.includes(attribute),
  );
  const rule = rules[place];
  if (!rule) {
    const names = [...new Set(patterns)].sort().map((name) => `\`${name}\``);
    const available = names.length
      ? `Available filterable attribute patterns are: ${names.join(', ')}.`
      : 'This index does not have configured filterable attributes.';
    const text = isRewritten ? write(whole) : source.text;
    const at = (isRewritten ? text.indexOf(`"${attribute}"`) + 1 : source.at) + 1;
    const where = `${at}:${at + attribute.length} ${text}`;
    throw new FilterError(
      `Attribute \`${attribute}\` is not filterable. ${available}\n${where}`,
      'attribute',
    );
  }
  const isComparison = !['=', '!=', 'IN'].includes(operator);
  if (
    typeof rule === 'string' ||
    (isComparison ? rule.features.filter.comparison : rule.features.filter.equality)
  ) {
    return;
  }
  if (!isComparison) throw new NotImplementedError('attributes without equality');
  const message = `Filter operator \`${operator}\` is not allowed for the attribute \`${attribute}\`.
  - Note: allowed operators: OR, AND, NOT, =, !=, IN, IS EMPTY, IS NULL, EXISTS.
  - Note: field \`${attribute}\` matched rule #${place} in \`filterableAttributes\`
  - Hint: enable comparison in rule #${place} by modifying the features.filter object
  - Hint: prepend another rule matching \`${attribute}\` with appropriate filter features before rule #${place}`;
  throw new FilterError(message, 'operator');
}

function write(filter: Filter): string {
  if (filter.kind === 'NOT') return `NOT (${write(filter.of[0]!)})`;
  if (filter.kind !== 'condition')
    return filter.of.map((part) => `(${write(part)})`).join(` ${filter.kind} `);
  const values = filter.values.map((value) => `"${value}"`);
  if (filter.operator === 'TO') return `"${filter.attribute}" ${values.join(' TO ')}`;
  const list = filter.operator === 'IN' ? `[${values.join(', ')}]` : values[0];
  return `"${filter.attribute}" ${filter.operator} ${list}`;
}

/** Whether a document passes. */
export function passes(document: Record<string, unknown>, filter: Filter | undefined): boolean {
  if (!filter) return true;
  if (filter.kind === 'AND') return filter.of.every((part) => passes(document, part));
  if (filter.kind !== 'condition') {
    const isAny = filter.of.some((part) => passes(document, part));
    return filter.kind === 'OR' ? isAny : !isAny;
  }
  const held = [document[filter.attribute]].flat() as Value[];
  const { operator, values } = filter;
  const [first = '', last = ''] = values;
  const holds = (operator: string, limit: string) => held.some((value) => compare(value, operator, limit));
  if (operator === '!=') return !holds('=', first);
  if (operator === 'IN') return values.some((value) => holds('=', value));
  if (operator !== 'TO') return holds(operator, first);
  return held.some((value) => compare(value, '>=', first) && compare(value, '<=', last));
}

/** Numbers compare as numbers, everything else as text without regard to case and width. */
function compare(value: Value, operator: string, limit: string): boolean {
  if (value === null || value === undefined || limit === '') return false;
  const [a, b] = typeof value === 'number' ? [value, Number(limit)] : [fold(String(value)), fold(limit)];
  if (operator === '=') return a === b;
  if (operator === '>') return a > b;
  if (operator === '<') return a < b;
  return operator === '>=' ? a >= b : a <= b;
}

const fold = (text: string) => text.normalize('NFKC').trim().toLowerCase();
