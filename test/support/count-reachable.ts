import { isMap, isSet } from 'node:util/types';

/**
 * How many objects a value holds, itself included: in fields, also those named by symbols, and in sets and maps. What only
 * private fields and closures hold is not counted.
 */
export function countReachable(root: object): number {
  const seen = new Set<object>();
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (!isObject(value) || seen.has(value)) continue;
    seen.add(value);
    for (const key of Reflect.ownKeys(value)) open.push(Object.getOwnPropertyDescriptor(value, key)?.value);
    // Those of Node.js itself do not inherit from Set and Map.
    if (isSet(value)) open.push(...Set.prototype.values.call(value));
    if (isMap(value)) for (const entry of Map.prototype.entries.call(value)) open.push(...entry);
  }
  return seen.size;
}

const isObject = (value: unknown): value is object =>
  (typeof value === 'object' && value !== null) || typeof value === 'function';
