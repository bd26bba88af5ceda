/**
 * Parses files with the build in the folder of the first argument: `{"path": …}` on each line of standard input, an
 * outcome on each line of standard output.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { parse as Parse } from '../src/parse.js';
import type { sourceFromBuffer as SourceFromBuffer } from '../src/source-bytes.js';
import type { Outcome } from './line-worker.js';

const build = path.join(process.argv[2] ?? '', 'src');
const load = (file: string) => import(pathToFileURL(path.join(build, file)).href);
const { parse } = (await load('parse.js')) as { parse: typeof Parse };
const { sourceFromBuffer } = (await load('source-bytes.js')) as {
  sourceFromBuffer: typeof SourceFromBuffer;
};
console.log = console.error;

for await (const line of createInterface(process.stdin)) {
  const { path: file } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify(await parseFile(file))}\n`);
}

async function parseFile(file: string): Promise<Outcome> {
  const before = process.cpuUsage();
  try {
    const source = sourceFromBuffer(await readFile(file));
    const { pages } = await parse({ source, fileName: path.basename(file) });
    const texts: string[] = [];
    for await (const { markdown } of pages) texts.push(markdown);
    const { user, system } = process.cpuUsage(before);
    return { text: texts.join('\n\n'), seconds: (user + system) / 1e6 };
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return { error: `${code ?? 'internal'}: ${message}` };
  }
}
