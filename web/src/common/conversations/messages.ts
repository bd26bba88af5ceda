import type { Dictionary } from '../../language/language';
import { en } from './messages.en';
import { zh } from './messages.zh';

/** What is said of a conversation on several screens. */
export const conversationMessages: Dictionary<typeof en> = { en, zh };
