import type { Inputs } from '../../api/trpc';

type SearchInput = Inputs['chunks']['search'];

export const questionLanguages = ['english', 'chinese'] as const satisfies SearchInput['language'][];
export const modes = ['lexical', 'hybrid', 'semantic'] as const satisfies SearchInput['mode'][];
export const DEFAULT_TOP_K = 5;
export const MAX_TOP_K = 100;

/** A question and how to ask it, as it is in the address. */
export interface LabSearch {
  q?: string | undefined;
  /** Separated by commas. */
  datasets?: string | undefined;
  language?: (typeof questionLanguages)[number] | undefined;
  topK?: number | undefined;
  mode?: (typeof modes)[number] | undefined;
}

/** What the address says; what does not fit is left out. */
export function readLabSearch(search: Record<string, unknown>): LabSearch {
  const topK = Number(search.topK);
  return {
    q: textOf(search.q),
    datasets: textOf(search.datasets),
    language: questionLanguages.find((language) => language === search.language),
    topK:
      Number.isInteger(topK) && topK >= 1 && topK <= MAX_TOP_K && topK !== DEFAULT_TOP_K ? topK : undefined,
    mode: modes.find((mode) => mode === search.mode),
  };
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
