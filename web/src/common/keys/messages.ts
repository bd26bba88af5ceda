import type { Dictionary } from '../../language/language';
import { en } from './messages.en';
import { zh } from './messages.zh';

/** What a new key is made with. */
export const keyMessages: Dictionary<typeof en> = { en, zh };
