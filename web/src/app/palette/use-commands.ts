import { useNavigate } from '@tanstack/react-router';
import {
  CircleHelp,
  FilePlus,
  KeyRound,
  Languages,
  type LucideIcon,
  MessageSquareText,
  Moon,
  Rows3,
  Search,
} from 'lucide-react';
import { toDatasetParam } from '../../api/dataset-ids';
import { useDatasets } from '../../api/reach';
import { useScope } from '../../api/scope';
import { languageOf } from '../../common/query-language';
import { type Language, languages, useLanguage, useMessages } from '../../language/language';
import { densities, useDensity } from '../density';
import { messages as shellMessages } from '../messages';
import { screens } from '../screens';
import { type Theme, themes, useTheme } from '../theme';
import { messages } from './messages';

/** Of what can be chosen, in both languages. */
const ALSO: Partial<Record<Theme | Language, string>> = {
  system: 'theme auto 主题 自动',
  light: 'theme light day 主题 浅色 亮色 白天',
  dark: 'theme dark night 主题 深色 暗色 夜间',
  en: 'language English 英语 英文',
  zh: 'language Chinese 汉语 中文',
};

/** What is not in use already. */
const others = <Value>(values: readonly Value[], used: Value) => values.filter((value) => value !== used);

/** A line of the palette. */
export interface Command {
  key: string;
  Icon: LucideIcon;
  name: string;
  /** Keys that do the same, at the end of the line. */
  keys?: string | undefined;
  /** Where it is, likewise. */
  detail?: string | undefined;
  /** Other words that find it, in both languages. */
  also?: string | undefined;
  run: () => void;
}

/** The screens and actions whose names contain all words of a text; without a text all screens, and what is done most. */
export function useCommands(text: string, onHelp: () => void) {
  const t = useMessages(messages);
  const shell = useMessages(shellMessages);
  const navigate = useNavigate();
  const { language: current, setLanguage } = useLanguage();
  const [theme, setTheme] = useTheme();
  const [density, setDensity] = useDensity();
  const { datasets } = useDatasets(useScope(), '');
  const often: Command[] = [
    {
      key: 'add documents',
      Icon: FilePlus,
      name: t.addDocuments,
      run: () => navigate({ to: '/documents', search: { add: 'files' } }),
    },
    {
      key: 'make key',
      Icon: KeyRound,
      name: t.makeKey,
      run: () => navigate({ to: '/keys', search: { make: true } }),
    },
    { key: 'help', Icon: CircleHelp, name: shell.help, keys: '?', run: onHelp },
  ];
  const seldom: Command[] = [
    ...others(themes, theme).map((value) => ({
      key: `theme ${value}`,
      Icon: Moon,
      name: t.theme(shell.themes[value]),
      also: ALSO[value],
      run: () => setTheme(value),
    })),
    ...others(languages, current).map((value) => ({
      key: `language ${value}`,
      Icon: Languages,
      name: t.language(shell.languages[value]),
      also: ALSO[value],
      run: () => setLanguage(value),
    })),
    ...others(densities, density).map((value) => ({
      key: `density ${value}`,
      Icon: Rows3,
      name: t.density(shell.densities[value]),
      run: () => setDensity(value),
    })),
  ];
  const searches: Command[] = [
    {
      key: 'search chunks',
      Icon: Search,
      name: t.search(text),
      run: () =>
        navigate({
          to: '/search',
          search: {
            q: text,
            // Without datasets, the question would only be filled in.
            datasets: toDatasetParam(datasets.map(({ datasetId }) => datasetId)) || undefined,
            language: languageOf(text) === 'chinese' ? 'chinese' : undefined,
          },
        }),
    },
    {
      key: 'search messages',
      Icon: MessageSquareText,
      name: t.searchMessages(text),
      run: () => navigate({ to: '/conversations', search: { q: text } }),
    },
  ];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ name, also = '' }: Pick<Command, 'name' | 'also'>) =>
    words.every((word) => `${name} ${also}`.toLowerCase().includes(word));
  return {
    screens: screens
      .map(({ path, keys, Icon }) => ({
        key: path,
        Icon,
        name: shell.screens[path],
        keys,
        run: () => void navigate({ to: path }),
      }))
      .filter(fits),
    actions: text === '' ? often : [...[...often, ...seldom].filter(fits), ...searches],
  };
}
