import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { analyzeQuery } from '../../src/search/ranking/analyze.js';

const MAX_QUESTIONS = 500;

const [source, target] = process.argv.slice(2);
if (!source || !target) {
  process.stderr.write(`Makes a test collection of paraphrases for \`lectern eval\`. The documents are captions of pictures; each question is another
person's caption of a picture, which has no word in common with the picture's caption among the documents.

Usage: npm run bench -- paraphrases SOURCE TARGET

  SOURCE  captions as in Flickr8k.token.txt: lines of picture, #, number, tab, caption
  TARGET  folder of the collection
`);
  process.exit(2);
}

const captions = new Map<string, string[]>();
for (const line of (await readFile(source, 'utf8')).split('\n')) {
  const [name = '', caption = ''] = line.split('\t');
  const picture = name.slice(0, name.indexOf('#'));
  if (caption) captions.set(picture, [...(captions.get(picture) ?? []), caption.trim()]);
}

const documents: { _id: string; title: string; text: string }[] = [];
const questions: { _id: string; text: string }[] = [];
for (const [picture, [document = '', ...others]] of captions) {
  documents.push({ _id: picture, title: '', text: document });
  const terms = termsOf(document);
  const question = others.find(
    (other) => termsOf(other).size > 2 && ![...termsOf(other)].some((term) => terms.has(term)),
  );
  if (question) questions.push({ _id: picture, text: question });
}
const asked = questions.slice(0, MAX_QUESTIONS);

await mkdir(target, { recursive: true });
await Promise.all([
  write('corpus.jsonl', documents.map(toLine).join('')),
  write('queries.jsonl', asked.map(toLine).join('')),
  write('qrels.tsv', `query-id\tcorpus-id\tscore\n${asked.map(({ _id }) => `${_id}\t${_id}\t1\n`).join('')}`),
  write('about.json', toLine({ name: 'paraphrases', language: 'english' })),
]);
process.stdout.write(`${documents.length} documents, ${asked.length} of ${questions.length} questions\n`);

function termsOf(text: string): Set<string> {
  return new Set(analyzeQuery(text, 'english').map(({ term }) => term));
}

function toLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

function write(name: string, text: string): Promise<void> {
  return writeFile(path.join(target as string, name), text);
}
