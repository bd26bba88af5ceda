import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { commands } from '../../src/cli/commands.js';
import { LECTERN, startProgram } from '../support/run-command.js';

const run = (...args: string[]) => startProgram(args, {}).ended;

test('--help lists every command', async () => {
  const { status, stdout, stderr } = await run('--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const listed = [...stdout.matchAll(/^ {2}(\S+(?: \S+)?) {2,}\S/gm)].map(([, name]) => name);
  expect(listed).toEqual([...commands.keys()]);
  expect((await run('-h')).stdout).toBe(stdout);
});

test.each([...commands.keys()])('%s --help explains its use', async (name) => {
  const { status, stdout, stderr } = await run(...name.split(' '), '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`\\n\\nUsage: lectern ${name}( [^\\n]+)?\\n`));
});

test.each(['keys', 'tenant', 'search'])('%s --help lists its commands', async (group) => {
  const { status, stdout, stderr } = await run(group, '--help');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const listed = [...stdout.matchAll(/^ {2}(\S+) {2,}\S/gm)].map(([, name]) => `${group} ${name}`);
  expect(listed).toEqual([...commands.keys()].filter((name) => name.startsWith(`${group} `)));
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(await run('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});

test('an unknown command is refused', async () => {
  expect(await run('sevre')).toEqual({
    status: 2,
    stdout: '',
    stderr: 'There is no command "sevre". Did you mean serve?\nSee: lectern --help\n',
  });
  expect((await run('tennant', 'export')).stderr).toBe(
    'There is no command "tennant". Did you mean tenant?\nSee: lectern --help\n',
  );
  expect((await run('import')).stderr).toBe('There is no command "import".\nSee: lectern --help\n');
  const { status, stdout, stderr } = await run('search', 'statsu');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect((await run('keys')).stderr).toBe(
    'Say what: create, list, rotate, revoke.\nSee: lectern keys --help\n',
  );
  expect(stderr).toMatch(
    /^Say status, .* not "statsu"\. Did you mean status\?\nSee: lectern search --help\n$/,
  );
});

test('without a command it serves, with its options', async () => {
  const { status, stdout, stderr } = await run('--port', '80');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toBe("Unknown option '--port'.\nSee: lectern serve --help\n");
});

test('an option that is wrong is told in a sentence, and which was meant', async () => {
  const stderr = async (...args: string[]) => (await run(...args)).stderr;
  expect(await stderr('backup', '--too', '/backups')).toBe(
    "Unknown option '--too'. Did you mean --to?\nSee: lectern backup --help\n",
  );
  expect(await stderr('doctor', '--jsno')).toBe(
    "Unknown option '--jsno'. Did you mean --json?\nSee: lectern doctor --help\n",
  );
  expect(await stderr('tenant', 'export', 'acme', '--to')).toBe(
    "Option '--to <value>' argument missing.\nSee: lectern tenant export --help\n",
  );
  expect(await stderr('backup', 'verify')).toBe(
    'Name the folder of one backup.\nSee: lectern backup verify --help\n',
  );
  expect(await stderr('seed', 'now')).toBe("Unexpected argument 'now'.\nSee: lectern seed --help\n");
});

test.each([
  ['lectern read', `${LECTERN} read`],
  ['file-to-markdown', 'packages/file-to-markdown/bin/file-to-markdown.js'],
])('%s ends without a word when nobody reads on', async (_, program) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-long-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'long.txt');
  writeFileSync(file, 'A line of a long text.\n'.repeat(50_000));
  const shell = `node ${program} ${file} | head -c 6; echo " \${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', shell]);
  expect({ stdout, stderr }).toEqual({ stdout: 'A line 141\n', stderr: '' });
});

test('a command loads no more of the server than it needs', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-loaded-'));
  await startProgram(['keys', 'list', '--help'], { NODE_V8_COVERAGE: folder }).ended;
  const files = readdirSync(folder)
    .flatMap((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')).result)
    .map(({ url }: { url: string }) => url);
  rmSync(folder, { recursive: true });
  const bundled = files.filter((url) => url.includes('/dist/program/'));
  // Each module is preceded by its path.
  const modules = bundled.flatMap(
    (url) => readFileSync(new URL(url), 'utf8').match(/^\/\/ \S+\.js$/gm) ?? [],
  );
  const loaded = [...files, ...modules];
  expect(loaded).toContain('// dist/src/cli/keys/list.js');
  const notNeeded =
    /dist\/src\/(compose\/(?!start-database)|(ingestion\/(?!extraction\/(languages|extraction-settings|whole-files))|rest-facade\b|http\b|mcp\b))|node_modules\/(express|@trpc|meilisearch|jose|@aws-sdk|@google-cloud|@opentelemetry|@modelcontextprotocol|yaml)\//;
  expect(loaded.filter((url) => notNeeded.test(url))).toEqual([]);
});

test.runIf(process.platform === 'linux')(
  'a data folder that cannot be made ends a start at once',
  async () => {
    const { child, ended } = startProgram(['serve'], { DATA_DIR: '/proc/lectern/data', PORT: '0' });
    onTestFinished(() => void child.kill('SIGKILL'));
    expect(await ended).toEqual({
      status: 1,
      stdout: '',
      stderr: `The embedded PostgreSQL in /proc/lectern/data could not start: ENOENT: no such file or directory, mkdir '/proc/lectern'
Its file system takes no folders, as /proc does: choose another data folder.
Or: Set DATABASE_URL to use a PostgreSQL server of your own.
`,
    });
  },
);

test('commands that read make no database where there is none', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-none-'));
  const DATA_DIR = path.join(folder, 'data');
  const to = ['--to', path.join(folder, 'to')];
  const commands = [
    ['keys', 'list'],
    ['keys', 'revoke', 'abc'],
    ['tenant', 'export', 'acme', ...to],
    ['tenant', 'delete', 'acme', '--dry-run'],
    ['audit', 'archive', '--before', '2026-01-01', ...to],
    ['search', 'status'],
    ['backup', ...to],
  ];
  const results = await Promise.all(commands.map((args) => startProgram(args, { DATA_DIR }).ended));
  const stderr = `There is no database in ${DATA_DIR}. Set DATA_DIR, or DATABASE_URL, as the server has it.\n`;
  expect(results).toEqual(commands.map(() => ({ status: 2, stdout: '', stderr })));

  const key = ['keys', 'create', '--tenant', 'acme', '--name', 'First'];
  expect(await startProgram(key, { DATA_DIR, ROLE: 'api' }).ended).toEqual({
    status: 2,
    stdout: '',
    stderr:
      'ROLE is api, and the embedded database serves only ROLE=all: set DATABASE_URL to a PostgreSQL server that all processes share.\n',
  });
  expect(existsSync(DATA_DIR)).toBe(false);
  rmSync(folder, { recursive: true });
});
