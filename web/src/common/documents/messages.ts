import type { Dictionary } from '../../language/language';
import { en } from './messages.en';
import { zh } from './messages.zh';

/** What is said of a document on several screens. */
export const documentMessages: Dictionary<typeof en> = { en, zh };
