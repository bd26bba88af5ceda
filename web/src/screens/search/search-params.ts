import type { Inputs } from '../../api/trpc';
import { textOf } from '../../common/search-params';

type SearchInput = Inputs['search']['run'];

export const questionLanguages = ['english', 'chinese'] as const satisfies SearchInput['language'][];
export const modes = ['lexical', 'hybrid', 'semantic'] as const satisfies SearchInput['mode'][];
export const DEFAULT_TOP_K = 5;
export const MAX_TOP_K = 100;

type QuestionLanguage = (typeof questionLanguages)[number];
type Mode = (typeof modes)[number];

/** How a question is asked, as it is in the address. */
export interface SettingsSearch {
  /** As `toDatasetParam` writes them. */
  datasets?: string | undefined;
  language?: QuestionLanguage | undefined;
  topK?: number | undefined;
  mode?: Mode | undefined;
}

/** Chunks shown on each side of a hit. */
export const neighbourCounts = [1, 2, 5] as const;
type NeighbourCount = (typeof neighbourCounts)[number];

const views = ['collections', 'synonyms'] as const;
type View = (typeof views)[number];

/** A question and how to ask it, with other settings to compare with, or a judged collection. */
export interface LabSearch extends SettingsSearch {
  q?: string | undefined;
  /** What hits have to pass, in JSON. */
  filter?: string | undefined;
  /** None, if undefined. */
  neighbours?: NeighbourCount | undefined;
  compare?: 'yes' | undefined;
  datasets2?: string | undefined;
  language2?: QuestionLanguage | undefined;
  topK2?: number | undefined;
  mode2?: Mode | undefined;
  view?: View | undefined;
  collection?: string | undefined;
  /** The saved one that is asked. */
  question?: string | undefined;
}

/** What the address says; what does not fit is left out. */
export function readLabSearch(search: Record<string, unknown>): LabSearch {
  const second = readSettings({
    datasets: search.datasets2,
    language: search.language2,
    topK: search.topK2,
    mode: search.mode2,
  });
  return {
    q: textOf(search.q),
    filter: textOf(search.filter),
    ...readSettings(search),
    neighbours: neighbourCounts.find((count) => count === Number(search.neighbours)),
    compare: search.compare === 'yes' ? 'yes' : undefined,
    datasets2: second.datasets,
    language2: second.language,
    topK2: second.topK,
    mode2: second.mode,
    view: views.find((view) => view === search.view),
    collection: textOf(search.collection),
    question: textOf(search.question),
  };
}

/** The settings to compare with; undefined where there are none. */
export const secondSettings = (search: LabSearch): SettingsSearch | undefined =>
  search.compare && {
    datasets: search.datasets2 ?? search.datasets,
    language: search.language2,
    topK: search.topK2,
    mode: search.mode2,
  };

function readSettings(search: Record<string, unknown>): SettingsSearch {
  const topK = Number(search.topK);
  return {
    datasets: textOf(search.datasets),
    language: questionLanguages.find((language) => language === search.language),
    topK:
      Number.isInteger(topK) && topK >= 1 && topK <= MAX_TOP_K && topK !== DEFAULT_TOP_K ? topK : undefined,
    mode: modes.find((mode) => mode === search.mode),
  };
}
