/**
 * Compares the words that the parsers here and others find in the files of a folder.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareParsers } from './compare-parsers.js';
import { FORMATS } from './formats.js';
import { describeSummary, describeWorst, summarize } from './report.js';

const USAGE = `Usage: npm run bench -- parsers FOLDER [--formats LIST] [--build FOLDER] [--outputs FOLDER] [--worst N] [--json]

Parses the files of FOLDER, and of the folders in it, here and with other parsers, and prints recall and precision of
the words of each, processor time, and the files where others do best. Other parsers are those that Python has or that
are beside it or on the PATH: pandoc, markitdown, pymupdf4llm, trafilatura, antiword, catdoc; what is missing is named
and left out. PDF is judged by the agreement of pdftotext and pymupdf, RTF by that of striprtf and unrtf.

  --formats LIST    of ${Object.keys(FORMATS).join(',')}; default all
  --build FOLDER    the build that parses, such as packages/file-to-markdown/dist of another worktree; default this one
  --outputs FOLDER  keeps there what each parser gave, and reuses what the others gave for the same files
  --worst N         how many files of each format to name; default 10
  --json            print JSON

PEERS_PYTHON is the Python that runs the others; default python3.

Status 0 when files were compared, 1 when there was none to compare, 2 when called wrongly.`;

const { folder, formats, build, outputs, worst, json } = readArguments();
const { results, missing } = await compareParsers({
  folder,
  formats,
  build,
  outputs,
  python: process.env.PEERS_PYTHON ?? 'python3',
  onFile(_file, index, count) {
    if (process.stderr.isTTY) process.stderr.write(`\r${index + 1} of ${count} files`);
  },
});
if (process.stderr.isTTY) process.stderr.write('\n');
if (missing.length > 0) process.stderr.write(`Not installed, and left out: ${missing.join(', ')}.\n`);
const summary = summarize(results);
if (json) {
  const files = results.map(({ parsers, ...result }) => ({
    ...result,
    parsers: Object.fromEntries(parsers),
  }));
  process.stdout.write(`${JSON.stringify({ summary, missing, files }, null, 2)}\n`);
} else {
  process.stdout.write(`${describeSummary(summary)}\n${describeWorst(results, worst)}\n`);
}
process.exitCode = results.length > 0 ? 0 : 1;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        formats: { type: 'string', default: Object.keys(FORMATS).join(',') },
        build: { type: 'string', default: fileURLToPath(new URL('..', import.meta.url)) },
        outputs: { type: 'string' },
        worst: { type: 'string', default: '10' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) {
      process.stdout.write(`${USAGE}\n`);
      process.exit(0);
    }
    const [folder, ...rest] = positionals;
    if (folder === undefined || rest.length > 0) throw new Error('Name one folder.');
    const formats = values.formats.split(',');
    const unknown = formats.find((format) => !Object.hasOwn(FORMATS, format));
    if (unknown !== undefined) throw new Error(`--formats: there is no ${unknown}.`);
    const worst = Number(values.worst);
    if (!Number.isSafeInteger(worst) || worst < 0) throw new Error('--worst is a number from 0.');
    return { folder, formats, build: values.build, outputs: values.outputs, worst, json: values.json };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}\n`);
    process.exit(2);
  }
}
