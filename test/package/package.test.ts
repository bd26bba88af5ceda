import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const repo = path.resolve(import.meta.dirname, '../..');
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-package-'));
const modules = path.join(repo, 'node_modules');
/** What somebody has who installs the tarball. */
const installed = (app: string) => path.join(home, app, 'node_modules/lectern');

interface Packed {
  filename: string;
  files: { path: string }[];
}
let packed: Packed;

const SOURCES = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.package.json',
  'db',
  'src',
  'bench',
];
/** With what it needs. */
const BUNDLED = ['swagger-ui-dist', '@scarf/scarf'];
const TEXTS = ['openapi.json', 'README.md', 'CHANGELOG.md', 'ARCHITECTURE.md', '.env.example'];

beforeAll(async () => {
  fs.chmodSync(home, 0o755); // the account of the embedded database must get in
  const checkout = path.join(home, 'checkout');
  for (const name of [...SOURCES, ...TEXTS]) {
    fs.cpSync(path.join(repo, name), path.join(checkout, name), { recursive: true });
  }
  // What it packs npm wants to find as it is; links do for the rest.
  const isPacked = (name: string) => BUNDLED.some((one) => one.split('/')[0] === name);
  const linked = fs.readdirSync(modules).filter((name) => !isPacked(name));
  linkModules(path.join(checkout, 'node_modules'), linked);
  for (const name of BUNDLED) {
    fs.cpSync(path.join(modules, name), path.join(checkout, 'node_modules', name), { recursive: true });
  }
  // As an older build may have left it.
  fs.mkdirSync(path.join(checkout, 'dist/src'), { recursive: true });
  fs.writeFileSync(path.join(checkout, 'dist/src/removed-since.js'), '');

  const { stdout } = await run('npm', ['pack', '--json', '--offline', '--pack-destination', home], {
    cwd: checkout,
  });
  [packed] = JSON.parse(stdout.slice(stdout.indexOf('[\n')));
  fs.rmSync(checkout, { recursive: true });
});

afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

/** Unpacks the tarball into an empty folder, beside links to packages that are installed here. */
async function install(app: string, packages: string[]): Promise<string> {
  fs.mkdirSync(installed(app), { recursive: true });
  await run('tar', ['xzf', path.join(home, packed.filename), '--strip-components=1', '-C', installed(app)]);
  linkModules(path.join(home, app, 'node_modules'), packages);
  return path.join(home, app);
}

function linkModules(folder: string, names: string[]): void {
  for (const name of names) {
    const link = path.join(folder, name);
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.symlinkSync(path.join(modules, name), link);
  }
}

test('the tarball holds the built server, its types and what describes it, and nothing else', async () => {
  const names = packed.files.map((file) => file.path);
  const isBuilt = (name: string) => /^dist\/(db|src)\/.+\.(js|d\.ts)$/.test(name);
  const isBundled = (name: string) => BUNDLED.some((one) => name.startsWith(`node_modules/${one}/`));
  expect(names.filter((name) => !isBuilt(name) && !isBundled(name)).sort()).toEqual([
    '.env.example',
    'CHANGELOG.md',
    'README.md',
    'openapi.json',
    'package.json',
  ]);
  expect(names).toEqual(expect.arrayContaining(['dist/src/main.js', 'dist/src/routers/app-router.d.ts']));
  expect(names.filter((name) => /\.test\.|removed-since/.test(name))).toEqual([]);

  const app = await install('files', []);
  const withMaps = names
    .filter(isBuilt)
    .filter((name) =>
      fs
        .readFileSync(path.join(app, 'node_modules/lectern', name), 'utf8')
        .includes('\n//# sourceMappingURL='),
    );
  expect(withMaps).toEqual([]);
  const manifest = JSON.parse(fs.readFileSync(path.join(installed('files'), 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ private: true, license: 'UNLICENSED' });
});

test('the reference page comes without the telemetry that its package would install', async () => {
  const app = await install('reference', []);
  const telemetry = path.join(app, 'node_modules/lectern/node_modules/@scarf/scarf/package.json');
  expect(JSON.parse(fs.readFileSync(telemetry, 'utf8')).name).toBe('empty-npm-package');
});

test('the server in it serves', async () => {
  const { dependencies, optionalDependencies } = JSON.parse(
    fs.readFileSync(path.join(repo, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>;
  const there = Object.keys({ ...dependencies, ...optionalDependencies }).filter(
    (name) => !BUNDLED.includes(name) && fs.existsSync(path.join(modules, name)),
  );
  const app = await install('server', there);
  const server: ChildProcess = spawn(process.execPath, ['node_modules/lectern/dist/src/main.js'], {
    cwd: app,
    env: { PATH: process.env.PATH, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  let printed = '';
  for await (const text of server.stdout ?? []) {
    printed += text;
    if (printed.includes('Stop it with')) break;
  }
  const address = /address\s+(\S+)/.exec(printed)?.[1];
  for (const route of [
    '/readyz',
    '/openapi.json',
    '/docs',
    '/docs/swagger-ui-bundle.js',
    '/docs/swagger-ui.css',
  ]) {
    expect({ route, status: (await fetch(address + route)).status }).toEqual({ route, status: 200 });
  }
  server.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

describe('a front end', () => {
  let app: string;
  let source: string;

  beforeAll(async () => {
    app = await install('front-end', ['@trpc/client', '@trpc/server', 'zod']);
    source = fs.readFileSync(path.join(import.meta.dirname, 'front-end.ts'), 'utf8');
    fs.writeFileSync(path.join(app, 'package.json'), '{ "type": "module" }');
  });

  /** What the compiler, at its strictest, has against programs; also against the declarations that they reach. */
  async function compile(programs: Record<string, string>, moduleResolution: string): Promise<string> {
    const files = Object.keys(programs);
    for (const file of files) fs.writeFileSync(path.join(app, file), programs[file] ?? '');
    const compilerOptions = {
      ...{
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: false,
      },
      ...{ noEmit: true, module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext', moduleResolution },
      // tRPC itself needs the last of these.
      ...{ target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'], types: [] },
    };
    fs.writeFileSync(path.join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
    const tsc = path.join(path.dirname(typescript), 'bin/tsc');
    const ended = await run(process.execPath, [tsc, '-p', app, '--pretty', 'false']).catch((error) => error);
    return ended.stdout;
  }

  test.each(['bundler', 'nodenext'])('finds types that say everything, with %s', async (resolution) => {
    expect(await compile({ 'front-end.ts': source }, resolution)).toBe('');
  });

  test('that is wrong is told so', async () => {
    const mistakes: [right: string, wrong: string][] = [
      ["  | 'reviewed'\n", ''],
      ["'metadata' | ", ''],
      ["status: 'asleep'", "status: 'failed'"],
    ];
    for (const [right] of mistakes) expect(source).toContain(right);
    const programs = mistakes.map(([right, wrong], place) => [`${place}.ts`, source.replace(right, wrong)]);
    const said = await compile(Object.fromEntries(programs), 'bundler');
    expect([...new Set(said.match(/\b\d\.ts(?=\()/g))].sort()).toEqual(['0.ts', '1.ts', '2.ts']);
  });
});
