import { z } from 'zod';
import type { Steps } from '../../async/steps.js';
import { invalid } from '../../errors/errors.js';
import { MAX_RULES, ruleFields, type SynonymRecord, synonymDatasets } from './synonyms.schema.js';

/*
 * The text format of Solr and Lucene: a line for each rule, `a, b, c` for words that stand for each other, and `a, b => c`
 * for what else to search where a question has `a` or `b`. A backslash takes away what a character means. Lines that
 * begin with # are comments; of these, `# datasets: ["faq"]` says what the rules below are for, and `# datasets: all`
 * that they are for all.
 */

export interface ReadRule {
  line: number;
  terms: string[];
  replacements: string[] | null;
  /** Undefined where the text names none. */
  datasetIds: string[] | null | undefined;
}

/** Mistakes that are told of at once. */
const MAX_TOLD = 10;
/** Rules, comments and empty ones. */
const MAX_LINES = 10_000;
/** Of a line: a rule has at most half as many, each with a backslash. */
const MAX_LINE_LENGTH = 5_000;
const CHARACTERS_OF_STEP = 50_000;
const DATASETS = '# datasets:';
const datasetsOfLines = z.union([z.null(), synonymDatasets]);

/** @throws DomainError `invalid` that names the lines which are no rules, or where there are too many */
export function* readSynonymsInSteps(text: string): Steps<ReadRule[]> {
  const rules: ReadRule[] = [];
  const mistakes: string[] = [];
  let datasetIds: ReadRule['datasetIds'];
  let unyielded = 0;
  for (const [place, content] of text.split(/\r\n|\r|\n/, MAX_LINES + 1).entries()) {
    if (place === MAX_LINES || rules.length > MAX_RULES)
      throw invalid(`There are more than ${MAX_RULES} rules or ${MAX_LINES} lines.`, ['text']);
    unyielded += content.length;
    if (unyielded > CHARACTERS_OF_STEP) {
      unyielded = 0;
      yield;
    }
    const line = content.trim();
    const fail = (mistake: string) => mistakes.push(`Line ${place + 1}: ${mistake}`);
    if (line.length > MAX_LINE_LENGTH) fail('it is too long.');
    else if (line.startsWith(DATASETS)) {
      const named = datasetsOfLines.safeParse(readDatasets(line.slice(DATASETS.length).trim()));
      if (named.success) datasetIds = named.data;
      else fail('datasets must be all, or a list such as ["faq", "shop"].');
    } else if (line !== '' && !line.startsWith('#')) {
      const [terms = [], replacements = null, ...more] = splitSides(line);
      const rule = ruleFields.safeParse({ terms, replacements });
      if (more.length > 0) fail('there must be one => at most.');
      else if (rule.success) rules.push({ line: place + 1, ...rule.data, datasetIds });
      else fail(describe(rule.error.issues[0] as z.core.$ZodIssue, [terms, replacements ?? []]));
    }
    if (mistakes.length === MAX_TOLD) break;
  }
  if (mistakes.length > 0) throw invalid(mistakes.join('\n'), ['text']);
  return rules;
}

function readDatasets(text: string): unknown {
  if (text === 'all') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function splitSides(line: string): string[][] {
  const sides: string[][] = [['']];
  const append = (characters: string) => {
    const side = sides.at(-1) as string[];
    side[side.length - 1] += characters;
  };
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (character === '\\' && at + 1 < line.length) append(line.charAt(++at));
    else if (character === ',') sides.at(-1)?.push('');
    else if (character === '=' && line.charAt(at + 1) === '>') {
      sides.push(['']);
      at++;
    } else append(character);
  }
  return sides.map((side) => side.map((term) => term.trim()));
}

function describe({ path, message, code }: z.core.$ZodIssue, sides: string[][]): string {
  const [side, place] = path;
  const term = sides[side === 'replacements' ? 1 : 0]?.[Number(place)];
  if (term === undefined) return code === 'too_big' ? 'too many terms.' : `the terms ${message}.`;
  if (term === '') return 'a term is missing.';
  return `"${term.slice(0, 30)}" ${message}.`;
}

/** Rules for all datasets first, and the others below lines that name theirs. */
export function writeSynonyms(rules: Pick<SynonymRecord, 'terms' | 'replacements' | 'datasetIds'>[]): string {
  const groups = new Map<string, string[]>();
  for (const { terms, replacements, datasetIds } of rules) {
    const key = datasetIds ? JSON.stringify(datasetIds) : '';
    const line = [terms, ...(replacements ? [replacements] : [])].map(writeSide).join(' => ');
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, lines]) => `${key && `${DATASETS} ${key}\n`}${lines.join('\n')}\n`)
    .join('');
}

const writeSide = (terms: string[]): string =>
  terms.map((term) => term.replace(/[\\,=#]/g, '\\$&')).join(', ');
