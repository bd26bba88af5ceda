import type { Warn } from '@lectern/file-to-markdown';
import { type WarningCode, warningCodes } from '../../../db/enums.js';
import type { DocumentWarning } from '../../../db/schema.js';
import { toRanges } from './page-ranges.js';
import {
  MAX_NAME,
  MAX_NAMES,
  MAX_NAMES_LENGTH,
  MAX_OF_FILES,
  MAX_PAGES,
  MAX_RANGES,
} from './warning-limits.js';

interface Collected {
  code: WarningCode;
  file: string | null;
  pages: Set<number>;
  names: Set<string>;
  nameCount: number;
}

/** Collects what parsers report about one file, in bounded memory however much that is. */
export function collectWarnings(): { warn: Warn; list: () => DocumentWarning[] } {
  const collected = new Map<string, Collected>();
  let ofFiles = 0;
  let pagesLeft = MAX_PAGES;
  let lengthLeft = MAX_NAMES_LENGTH;
  return { warn, list };

  function warn(code: WarningCode, { page, name, file }: Parameters<Warn>[1]): void {
    const warning = find(code, file === undefined ? null : cleanName(file));
    if (!warning) return;
    if (page !== undefined && Number.isSafeInteger(page) && page > 0) addPage(warning.pages, page);
    if (name === undefined) return;
    warning.nameCount++;
    addName(warning.names, cleanName(name));
  }

  function find(code: WarningCode, file: string | null): Collected | undefined {
    const key = `${code} ${file ?? ''}`;
    const found = collected.get(key);
    if (found) return found;
    if (file !== null) {
      if (ofFiles >= MAX_OF_FILES || file.length > lengthLeft) return undefined;
      ofFiles++;
      lengthLeft -= file.length;
    }
    const warning = { code, file, pages: new Set<number>(), names: new Set<string>(), nameCount: 0 };
    collected.set(key, warning);
    return warning;
  }

  function addPage(pages: Set<number>, page: number): void {
    if (pages.has(page) || pagesLeft === 0) return;
    pages.add(page);
    pagesLeft--;
  }

  function addName(names: Set<string>, name: string): void {
    if (name === '' || names.has(name) || names.size >= MAX_NAMES || name.length > lengthLeft) return;
    names.add(name);
    lengthLeft -= name.length;
  }

  /** Those about the file itself first, in the order of their codes. */
  function list(): DocumentWarning[] {
    let rangesLeft = MAX_RANGES;
    const rank = ({ code, file }: Collected) =>
      warningCodes.indexOf(code) + (file === null ? 0 : warningCodes.length);
    return [...collected.values()]
      .sort((a, b) => rank(a) - rank(b))
      .map(({ code, file, pages, names, nameCount }) => {
        const ranges = toRanges(pages).slice(0, rangesLeft);
        rangesLeft -= ranges.length;
        return { code, file, pages: ranges, pageCount: pages.size, names: [...names], nameCount };
      });
  }
}

/** On one line, and without what changes how the text around it is shown. */
const cleanName = (name: string): string =>
  name
    .slice(0, 4 * MAX_NAME)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ')
    .replace(/(?<! ) {2,}/g, ' ')
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed();
