/** Measures the CPU time of each stage from a file to its chunks, also beside another build. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { loadStages, STAGES, type Stages } from './stages.js';

const USAGE = `Usage: npm run bench -- chunking [--rounds N] [--beside FOLDER] FILE...

Reads each file, splits it, and finds languages, keywords and search terms, one stage after the other. Prints the CPU
milliseconds of each stage, the least of all rounds, since other work on the machine only adds to them.

  --rounds N       default 5
  --beside FOLDER  dist/src of another build, measured alternately with this one; prints this one's share of it`;

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    beside: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
if (values.help || files.length === 0) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(values.help ? 0 : 2);
}

const builds = [await loadStages(new URL('../../src/', import.meta.url))];
if (values.beside) builds.push(await loadStages(pathToFileURL(`${path.resolve(values.beside)}/`)));
for (const file of files) print(file, await measure(file));

/** The least times of each build. */
async function measure(file: string): Promise<Stages[]> {
  const least: (Stages | undefined)[] = builds.map(() => undefined);
  for (let round = 0; round < Number(values.rounds); round++) {
    const turns = [...builds.entries()];
    for (const [index, run] of round % 2 ? turns.reverse() : turns) {
      const spent = await run(file);
      const before = least[index] ?? spent;
      for (const stage of STAGES) spent[stage] = Math.min(spent[stage], before[stage]);
      least[index] = spent;
    }
  }
  return least as Stages[];
}

function print(file: string, [own, other]: Stages[]): void {
  if (!own) return;
  const cells = STAGES.map((stage) => {
    const share = other ? ` (${(own[stage] / other[stage]).toFixed(2)})` : '';
    return `${stage} ${own[stage].toFixed(0)}${share}`;
  });
  process.stdout.write(`${path.basename(file)}: ${cells.join(', ')} ms\n`);
}
