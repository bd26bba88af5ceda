import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];
/** Messages in every language. English says which there are, so that one that another language lacks does not compile. */
export type Dictionary<T> = Record<Language, T>;

const STORED_AS = 'lectern.language';
const TAGS = { en: 'en-GB', zh: 'zh-CN' };
/** Made once: making one takes as long as many uses. */
const FORMATS = { en: formatsOf(TAGS.en), zh: formatsOf(TAGS.zh) };

interface Choice {
  language: Language;
  setLanguage: (language: Language) => void;
}
const Context = createContext<Choice>({ language: 'en', setLanguage: () => {} });

/** Holds the language: the one chosen before, else the browser's. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, choose] = useState(initialLanguage);
  useEffect(() => {
    document.documentElement.lang = TAGS[language];
  }, [language]);
  const setLanguage = (chosen: Language) => {
    store(chosen);
    choose(chosen);
  };
  return <Context value={{ language, setLanguage }}>{children}</Context>;
}

export const useLanguage = (): Choice => useContext(Context);

/** The messages of a screen in the language of the user. */
export const useMessages = <T,>(dictionary: Dictionary<T>): T => dictionary[useLanguage().language];

/** What numbers and times look like in the language of the user. */
export function useFormat() {
  const { numbers, times } = FORMATS[useLanguage().language];
  return {
    count: (value: number) => numbers.format(value),
    time: (iso: string) => times.format(new Date(iso)),
    score: (value: number) => value.toFixed(3),
  };
}

function initialLanguage(): Language {
  try {
    const stored = localStorage.getItem(STORED_AS);
    if (stored === 'en' || stored === 'zh') return stored;
  } catch {
    // Storage may be forbidden.
  }
  return navigator.language.startsWith('zh') ? 'zh' : 'en';
}

function store(language: Language): void {
  try {
    localStorage.setItem(STORED_AS, language);
  } catch {
    // It counts until the page is closed.
  }
}

function formatsOf(tag: string) {
  return {
    numbers: new Intl.NumberFormat(tag),
    times: new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' }),
  };
}
