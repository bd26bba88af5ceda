import { type Dictionary, useMessages } from '../../language/language';
import { en } from './actions.en';
import { zh } from './actions.zh';

const messages: Dictionary<typeof en> = { en, zh };

/** Actions that are offered to filter by, and their words. */
export function useActions(): [action: string, words: string][] {
  return Object.entries(useMessages(messages));
}

/** The words for an action. One that a newer server records is called as it calls it. */
export function useActionWords(): (action: string) => string {
  const words: Partial<Record<string, string>> = useMessages(messages);
  return (action) => words[action] ?? action;
}
