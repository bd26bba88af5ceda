import { isKey } from './file-storage.js';

const NAME_PREFIX = 'lectern-';

/**
 * Object names in a bucket that may be shared with other programs: a prefix marks ours, so that nothing else
 * is ever deleted.
 */
export function createObjectNames(prefix: string) {
  const start = `${prefix && `${prefix.replace(/(?<!\/)\/+$/, '')}/`}${NAME_PREFIX}`;
  return {
    /** What all names begin with. */
    start,
    nameOf: (key: string) => start + key,
    /** Undefined where a name is not ours. */
    keyOf(name: string): string | undefined {
      const key = name.slice(start.length);
      return name.startsWith(start) && isKey(key) ? key : undefined;
    },
  };
}
