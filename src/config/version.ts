import { readFileSync } from 'node:fs';

/** The version in package.json, which is two folders further up from the built file. */
export const version: string = read('../../package.json') ?? read('../../../package.json') ?? 'unknown';

function read(place: string): string | undefined {
  try {
    return JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8')).version;
  } catch {
    return undefined;
  }
}
