import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';

export const languages = ['en', 'zh'] as const;
export type Language = (typeof languages)[number];
/** Messages in every language. English says which there are, so that one that another language lacks does not compile. */
export type Dictionary<T> = Record<Language, T>;

const STORED_AS = 'lectern.language';
const TAGS = { en: 'en-GB', zh: 'zh-CN' };

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

/** What numbers, sizes and times look like in the language of the user. */
export const useFormat = () => formats[useLanguage().language];

const BYTES = ['B', 'kB', 'MB', 'GB'];

/** Made once: a formatter takes longer to make than a screen of rows to format. */
const formats = { en: createFormat(TAGS.en), zh: createFormat(TAGS.zh) };

function createFormat(tag: string) {
  const count = new Intl.NumberFormat(tag);
  const time = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' });
  const seconds = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' });
  const exactTime = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'long' });
  const day = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const clock = new Intl.DateTimeFormat(tag, { timeStyle: 'short' });
  const ago = new Intl.RelativeTimeFormat(tag);
  const size = new Intl.NumberFormat(tag, { maximumSignificantDigits: 3 });
  return {
    count: (value: number) => count.format(value),
    bytes: (value: number) => {
      const power = Math.min(BYTES.length - 1, Math.floor(Math.log10(Math.max(value, 1)) / 3));
      return `${size.format(value / 1_000 ** power)} ${BYTES[power]}`;
    },
    time: (iso: string) => time.format(new Date(iso)),
    seconds: (iso: string) => seconds.format(new Date(iso)),
    /** With seconds and the time zone. */
    exactTime: (iso: string) => exactTime.format(new Date(iso)),
    /** A day in UTC, such as `2026-11-30`. */
    day: (iso: string) => day.format(new Date(iso)),
    /** A value behind its name. */
    named: (name: string, value: string) => `${name}${tag === TAGS.zh ? '：' : ': '}${value}`,
    score: (value: number) => value.toFixed(3),
    clock: (iso: string) => clock.format(new Date(iso)),
    duration: (ms: number) => formatDuration(ms, tag),
    /** Such as `5 minutes ago`, `just now` or `in 2 days`. */
    ago: (iso: string) => formatAgo(iso, ago) ?? (tag === TAGS.zh ? '刚刚' : 'just now'),
  };
}

function formatDuration(ms: number, tag: string): string {
  if (ms < 1_000) return formatUnit(ms < 10 ? ms : Math.round(ms), 'millisecond', tag);
  if (ms < 120_000) return formatUnit(ms / 1_000, 'second', tag);
  return ms < 7_200_000 ? formatUnit(ms / 60_000, 'minute', tag) : formatUnit(ms / 3_600_000, 'hour', tag);
}

const formatUnit = (value: number, unit: string, tag: string): string =>
  value.toLocaleString(tag, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 });

const AGO_UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** What the clock of the server may be ahead of this one; nothing is that little in the future. */
const SKEW_SECONDS = 5;

/** Undefined where less than a second has passed. */
function formatAgo(iso: string, format: Intl.RelativeTimeFormat): string | undefined {
  const ahead = (new Date(iso).getTime() - Date.now()) / 1_000;
  const seconds = ahead > 0 && ahead < SKEW_SECONDS ? 0 : Math.abs(ahead);
  if (seconds < 1) return undefined;
  const [unit, size] = AGO_UNITS.find(([, length]) => seconds >= length) ?? ['second', 1];
  // What has passed is never more than it says; what is to come is rounded, as a new key expires in 30 days, not 29.
  return ahead < SKEW_SECONDS
    ? format.format(-Math.floor(seconds / size), unit)
    : format.format(Math.round(seconds / size), unit);
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
