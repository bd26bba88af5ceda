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
import { languages, useLanguage, useMessages } from '../../language/language';
import { densities, useDensity } from '../density';
import { messages as shellMessages } from '../messages';
import { screens } from '../screens';
import { themes, useTheme } from '../theme';
import { messages } from './messages';

/** A line of the palette. */
export interface Command {
  key: string;
  Icon: LucideIcon;
  name: string;
  /** Keys that do the same, at the end of the line. */
  keys?: string | undefined;
  /** Where it is, likewise. */
  detail?: string | undefined;
  run: () => void;
}

/** The screens and actions whose names contain all words of a text; without a text all screens, and what is done most. */
export function useCommands(text: string, onHelp: () => void) {
  const t = useMessages(messages);
  const shell = useMessages(shellMessages);
  const navigate = useNavigate();
  const { setLanguage } = useLanguage();
  const [, setTheme] = useTheme();
  const [, setDensity] = useDensity();
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
    ...themes.map((theme) => ({
      key: `theme ${theme}`,
      Icon: Moon,
      name: t.theme(shell.themes[theme]),
      run: () => setTheme(theme),
    })),
    ...languages.map((language) => ({
      key: `language ${language}`,
      Icon: Languages,
      name: t.language(shell.languages[language]),
      run: () => setLanguage(language),
    })),
    ...densities.map((density) => ({
      key: `density ${density}`,
      Icon: Rows3,
      name: t.density(shell.densities[density]),
      run: () => setDensity(density),
    })),
  ];
  const searches: Command[] = [
    {
      key: 'search chunks',
      Icon: Search,
      name: t.search(text),
      run: () => navigate({ to: '/search', search: { q: text } }),
    },
    {
      key: 'search messages',
      Icon: MessageSquareText,
      name: t.searchMessages(text),
      run: () => navigate({ to: '/conversations', search: { q: text } }),
    },
  ];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ name }: { name: string }) => words.every((word) => name.toLowerCase().includes(word));
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
