import type { Inputs } from '../api/trpc';

export type QueryLanguage = NonNullable<Inputs['messages']['search']['language']>;

const HAN = /\p{Script=Han}/u;

/** The language that words are searched in. */
export const languageOf = (query: string): QueryLanguage => (HAN.test(query) ? 'chinese' : 'english');
