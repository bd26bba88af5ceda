import type { Dictionary } from '../../language/language';
import { en } from './messages.en';
import { zh } from './messages.zh';

/** What permissions are for, of keys as well as of roles. */
export const permissionMessages: Dictionary<typeof en> = { en, zh };
