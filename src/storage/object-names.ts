const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NAME_PREFIX = 'lectern-';

/** Whether a name is one that a storage gives to its files. */
export const isKey = (name: string): boolean => UUID.test(name);

/**
 * The names of our files in a bucket, where other programs may keep theirs beside them: a mark tells ours, so that
 * nothing else is ever removed.
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
