import type { Dictionary } from '../../language/language';
import { en } from './messages.en';
import { zh } from './messages.zh';

export const messages: Dictionary<typeof en> = { en, zh };
