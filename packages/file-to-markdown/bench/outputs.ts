import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Outcome } from './line-worker.js';

/** Keeps in a folder what parsers gave; undefined keeps nothing. */
export interface Outputs {
  /** What the parser gave for the file, from the folder if it is there. */
  reuse: (parser: string, file: string, parse: () => Promise<Outcome>) => Promise<Outcome>;
  write: (parser: string, file: string, outcome: Outcome) => Promise<void>;
}

export function createOutputs(folder: string | undefined): Outputs {
  if (folder === undefined) return { reuse: (_parser, _file, parse) => parse(), write: async () => {} };

  const place = async (parser: string, file: string) => {
    const hash = createHash('sha256').update(await readFile(file));
    await mkdir(path.join(folder, parser), { recursive: true });
    return path.join(folder, parser, `${path.basename(file)}-${hash.digest('hex').slice(0, 12)}.json`);
  };
  const write: Outputs['write'] = async (parser, file, outcome) => {
    await writeFile(await place(parser, file), JSON.stringify(outcome));
  };
  return {
    async reuse(parser, file, parse) {
      const kept = await readFile(await place(parser, file), 'utf8').catch(() => undefined);
      if (kept !== undefined) return JSON.parse(kept) as Outcome;
      const outcome = await parse();
      await write(parser, file, outcome);
      return outcome;
    },
    write,
  };
}
