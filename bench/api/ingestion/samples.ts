import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createRandom } from '../../support/random.js';
import { spell } from '../../support/words.js';

const SAMPLES = path.resolve('test/samples');
const WORDS = 20_000;
const FILE_BYTES = 500_000;

export interface Sample {
  name: string;
  path: string;
  /** Bytes. */
  size: number;
}

const random = createRandom(14);
const words = (count: number) =>
  Array.from({ length: count }, () => spell(Math.floor(WORDS ** random.next()))).join(' ');
const repeat = (make: (n: number) => string): string => {
  let text = '';
  for (let n = 0; text.length < FILE_BYTES; n++) text += make(n);
  return text;
};
const sentence = () => `${words(random.between(6, 20))}. `;
const paragraph = () => `${Array.from({ length: 5 }, sentence).join('')}\n\n`;
const section = (n: number) =>
  `${'#'.repeat(1 + (n % 3))} ${words(3)}\n\n${paragraph()}- ${words(5)}\n- ${words(6)}\n\n`;
const row = (n: number) => `${n},${words(2)},${random.between(1, 9_999)},${words(6)}\n`;

/** A paragraph that is a document of its own. */
export const smallDocument = (): string => paragraph().slice(0, 600);

/** Files above 100 kB: three that are made of invented words, two of the samples. In a folder that `remove` deletes. */
export async function makeSamples(): Promise<{ samples: Sample[]; remove(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-bench-'));
  const made: [string, string][] = [
    ['text.txt', repeat(paragraph)],
    ['markdown.md', repeat(section)],
    ['table.csv', `number,name,amount,remark\n${repeat(row)}`],
  ];
  for (const [name, text] of made) await writeFile(path.join(folder, name), text);
  const files = [
    ...made.map(([name]) => path.join(folder, name)),
    ...['game-codex-619p.pdf', 'handbook-872p.docx'].map((name) => path.join(SAMPLES, name)),
  ];
  const samples = await Promise.all(
    files.map(async (file) => ({ name: path.basename(file), path: file, size: (await stat(file)).size })),
  );
  return { samples, remove: () => rm(folder, { recursive: true, force: true }) };
}

export const readSample = async ({ path: file, name }: Sample): Promise<File> =>
  new File([await readFile(file)], name);
