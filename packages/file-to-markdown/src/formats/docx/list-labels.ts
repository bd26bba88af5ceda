import { formatNumber } from './format-number.js';
import { type Level, type List, MAX_LEVELS } from './numbering.js';

/** What stands before items that have a sign and no number. */
export const BULLET = '-';
/** Longer ones are no labels. */
const MAX_LABEL = 100;

/** Counts the items of the lists of a document. */
export class ListLabels {
  readonly #counts = new Map<string, (number | undefined)[]>();
  readonly #begun = new Set<string>();

  /** What stands before the next paragraph of a list, as in `1.2` or `(a)`; `''` where that is nothing. */
  next(list: List, level: number): string {
    const counts = this.#counts.get(list.definition) ?? [];
    this.#counts.set(list.definition, counts);
    if (!this.#begun.has(list.id)) {
      for (const start of list.starts.keys()) counts[start] = undefined;
      this.#begun.add(list.id);
    }
    const count = counts[level];
    counts[level] = count === undefined ? startOf(list, level) : count + 1;
    for (let outer = 0; outer < level; outer++) counts[outer] ??= startOf(list, outer);
    for (let inner = level + 1; inner < MAX_LEVELS; inner++) {
      if (level < (list.levels[inner]?.restart ?? inner)) counts[inner] = undefined;
    }
    return labelOf(list.levels, level, counts);
  }
}

function startOf(list: List, level: number): number {
  return list.starts.get(level) ?? list.levels[level]?.start ?? 0;
}

function labelOf(levels: Level[], at: number, counts: (number | undefined)[]): string {
  const level = levels[at];
  if (!level) return '';
  if (level.format === 'bullet') return BULLET;
  const label = level.text.slice(0, MAX_LABEL).replace(/%([1-9])/g, (_, digit: string) => {
    const number = counts[Number(digit) - 1];
    const format = levels[Number(digit) - 1]?.format ?? 'decimal';
    if (number === undefined || format === 'bullet') return '';
    return formatNumber(number, level.isLegal ? 'decimal' : format);
  });
  return label.replace(/\s+/g, ' ').trim();
}
