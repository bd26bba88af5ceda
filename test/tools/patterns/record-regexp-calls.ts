import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Pattern } from './find-patterns.js';

/** The patterns that files make with `RegExp` while they are loaded, with the place of each. */
export async function recordConstructed(files: string[]): Promise<Pattern[]> {
  const { RegExp: Native } = globalThis;
  const made: Pattern[] = [];
  const note = (pattern: RegExp) => {
    const place = callerAmong(files);
    if (place) made.push({ ...place, source: pattern.source, flags: pattern.flags });
    return pattern;
  };
  globalThis.RegExp = new Proxy(Native, {
    construct: (target, given) => note(Reflect.construct(target, given)),
    apply: (target, self, given) => note(Reflect.apply(target, self, given)),
  });
  try {
    for (const file of files) await import(pathToFileURL(path.resolve(file)).href);
  } finally {
    globalThis.RegExp = Native;
  }
  return made;
}

/** The file that stands in the third frame: behind this function and the proxy's. */
function callerAmong(files: string[]): Pick<Pattern, 'file' | 'line'> | undefined {
  const frames = (new Error().stack ?? '')
    .split('\n')
    .filter((frame) => !frame.includes(import.meta.filename));
  const frame =
    frames.find((line) => line.trimStart().startsWith('at ') && !/\bProxy\b|Object\.construct/.test(line)) ??
    '';
  const file = files.find((name) => frame.includes(`/${name}:`));
  return file === undefined ? undefined : { file, line: Number(/:(\d+):\d+\)?$/.exec(frame)?.[1]) };
}
