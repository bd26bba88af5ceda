import { type Comparison, type Filter, type FilterValue, isTime, readKey } from './filter.js';

/**
 * A filter as a JSON path that matches custom properties, with the variables `document` and `metadata`. Strict: neither are
 * arrays taken for their elements, nor is anything compared that is missing or of another type. That makes `exists` false,
 * and never unknown, so that `!` is the opposite.
 */
export const toJsonPath = (filters: Filter[]): string => `strict ${all(filters)}`;

const all = (filters: Filter[]): string =>
  filters.length === 0 ? '(1 == 1)' : `(${filters.map(toPredicate).join(' && ')})`;

function toPredicate(filter: Filter): string {
  switch (filter.type) {
    case 'and':
      return all(filter.filters);
    case 'or':
      return filter.filters.length === 0 ? '(1 == 0)' : `(${filter.filters.map(toPredicate).join(' || ')})`;
    case 'not':
      return `!(${toPredicate(filter.filter)})`;
    case 'ne':
      return `!(${toPredicate({ ...filter, type: 'eq' })})`;
    case 'nin':
      return `!(${toPredicate({ ...filter, type: 'in' })})`;
    default:
      return filter.type === 'exists' && !filter.value ? `!(${holds(filter)})` : holds(filter);
  }
}

/** Whether there is such a value, and the comparison holds. */
function holds(comparison: Comparison): string {
  const key = readKey(comparison.key);
  if (!key) return '(1 == 0)';
  const isPrefix = key.of === 'document' && key.name === 'urlPrefix';
  const root = key.of === 'customProperties' ? '$' : `$${key.of}`;
  const field = `@.${JSON.stringify(isPrefix ? 'url' : key.name)}`;
  const literal = (value: FilterValue) => JSON.stringify(isTime(key) ? Date.parse(String(value)) : value);
  const equals = (value: FilterValue) =>
    isPrefix ? `${field} starts with ${literal(value)}` : `${field} == ${literal(value)}`;
  return `exists(${root} ? (${compare()}))`;

  function compare(): string {
    switch (comparison.type) {
      case 'in':
      case 'nin':
        return comparison.value.length === 0 ? '1 == 0' : comparison.value.map(equals).join(' || ');
      case 'exists':
        return `${field} != null`;
      case 'contains': {
        const element = `exists(${field}[*] ? (@ == ${literal(comparison.value)}))`;
        if (typeof comparison.value !== 'string') return element;
        return `${element} || ${field} like_regex ${literal(comparison.value)} flag "q"`;
      }
      case 'eq':
      case 'ne':
        return equals(comparison.value);
      default:
        return `${field} ${ORDER[comparison.type]} ${literal(comparison.value)}`;
    }
  }
}

const ORDER = { gt: '>', gte: '>=', lt: '<', lte: '<=' };
