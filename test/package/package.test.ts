import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Packed, pack } from '../support/pack.js';

/* What the tarball holds. test/clients installs it. */

const run = promisify(execFile);
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-package-'));
const modules = path.resolve(import.meta.dirname, '../../node_modules');
/** What somebody has who installs the tarball. */
const installed = (app: string) => path.join(home, app, 'node_modules/lectern');

let packed: Packed;
beforeAll(async () => {
  packed = await pack(home);
});
afterAll(() => fs.rmSync(home, { recursive: true, force: true }));

/** Unpacks the tarball into an empty folder, beside links to packages that are installed here. */
async function install(app: string, packages: string[]): Promise<string> {
  fs.mkdirSync(installed(app), { recursive: true });
  await run('tar', ['xzf', packed.file, '--strip-components=1', '-C', installed(app)]);
  for (const name of packages) {
    const link = path.join(home, app, 'node_modules', name);
    fs.mkdirSync(path.dirname(link), { recursive: true });
    fs.symlinkSync(path.join(modules, name), link);
  }
  return path.join(home, app);
}

test('the tarball holds the built server, its types and what describes it, and nothing else', async () => {
  const { names } = packed;
  const isCopied = (name: string) => name.startsWith('dist/node_modules/');
  const isBuilt = (name: string) => /^dist\/(db|src)\/.+\.(js|d\.ts)$/.test(name);
  const isConsole = (name: string) =>
    /^dist\/web\/(index\.html(\.(br|gz))?|files\.json|licenses\.md|assets\/[\w.-]+-[\w-]{8}\.(m?js|css|svg|bcmap|pfb|ttf|woff2|wasm)(\.(br|gz))?)$/.test(
      name,
    );
  const isProgram = (name: string) => /^dist\/program\/([\w.-]+\.js|files\.json|licenses\.md)$/.test(name);
  const isSite = (name: string) =>
    /^dist\/docs\/([\w-]+\/)*[\w-]+\.(css|html|js|json|md|svg|txt|woff2)(\.(br|gz))?$/.test(name);
  const isDemo = (name: string) => /^demo\/(README\.md|documents\/[^/]+)$/.test(name);
  const isOperations = (name: string) =>
    /^ops\/(grafana|kubernetes|nginx|prometheus|systemd)\/[\w.-]+$/.test(name);
  const isGuide = (name: string) => /^docs\/guide\/([\w-]+\/)*[\w-]+\.md$/.test(name);
  const kinds = [isBuilt, isProgram, isCopied, isConsole, isSite, isDemo, isOperations, isGuide];
  const isOther = (name: string) => !kinds.some((isOfKind) => isOfKind(name));
  expect(names.filter(isOther).sort()).toEqual([
    '.env.example',
    'CHANGELOG.md',
    'README.md',
    'bin/lectern.js',
    'dist/sbom.cdx.json',
    'docs/licences.md',
    'openapi.d.ts',
    'openapi.json',
    'package.json',
  ]);
  expect(names).toEqual(
    expect.arrayContaining([
      'dist/program/lectern.js',
      'dist/program/chunk-file.js',
      'dist/program/licenses.md',
      'docs/guide/how-to/deploy-systemd.md',
      'dist/src/routers/app-router.d.ts',
      'dist/src/client/index.js',
      'dist/src/client/index.d.ts',
      'ops/systemd/lectern.service',
      'ops/nginx/lectern.conf',
      'ops/prometheus/alerts.yml',
      'dist/web/index.html',
      'dist/web/files.json',
      'dist/web/licenses.md',
      'dist/docs/index.html',
      'dist/docs/files.json',
    ]),
  );
  expect(names.filter((name) => isBuilt(name) && /\.test\.|removed-since/.test(name))).toEqual([]);

  await install('files', []);
  const read = (name: string) => fs.readFileSync(path.join(installed('files'), name), 'utf8');
  expect(names.filter(isBuilt).filter((name) => read(name).includes('\n//# sourceMappingURL='))).toEqual([]);
  expect(JSON.parse(read('package.json'))).toMatchObject({ private: true, license: 'UNLICENSED' });
});

test('what runs in the checkout stays as it is, and `npm pack` there is refused', async () => {
  expect(packed.dist.sort()).toEqual(['src', 'src/removed-since.js']);
  const repo = path.resolve(import.meta.dirname, '../..');
  const refused = run('npm', ['pack', '--dry-run'], { cwd: repo });
  await expect(refused).rejects.toMatchObject({
    stderr: expect.stringContaining('dist is what this checkout runs. For the tarball: npm run tarball\n'),
  });
});

test('the packages in it are the few files that are used, with their licences', () => {
  const copied = packed.names.flatMap(
    (name) => /^dist\/node_modules\/((@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? [],
  );
  const packages = [...new Set(copied)];
  expect(packages).toEqual(
    expect.arrayContaining(['@trpc/server', 'pdfjs-dist', 'swagger-ui-dist', 'trpc-to-openapi', 'h3']),
  );
  expect(packages.filter((name) => /typescript|canvas|rollup|scarf/.test(name))).toEqual([]);
  const pdfJs = packed.names.filter((name) => /^dist\/node_modules\/pdfjs-dist\/.+\.mjs$/.test(name));
  expect(pdfJs.map((name) => path.basename(name)).sort()).toEqual(['pdf.mjs', 'pdf.worker.mjs']);
  const hasLicence = (name: string) =>
    packed.names.some((file) => new RegExp(`^dist/node_modules/${name}/(licen[sc]e|readme)`, 'i').test(file));
  expect(packages.filter((name) => !hasLicence(name))).toEqual([]);
});

describe('a front end', () => {
  let app: string;
  let source: string;
  let client: string;

  beforeAll(async () => {
    app = await install('front-end', ['@trpc/client', '@trpc/server', 'eventsource', 'zod']);
    const read = (name: string) => fs.readFileSync(path.join(import.meta.dirname, name), 'utf8');
    [source, client] = [read('front-end.ts'), read('client.ts')];
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
      noEmit: true,
      module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
      moduleResolution,
      // tRPC itself needs the last of these.
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable', 'esnext.disposable'],
      types: [],
    };
    fs.writeFileSync(path.join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
    const tsc = path.join(path.dirname(typescript), 'bin/tsc');
    const ended = await run(process.execPath, [tsc, '-p', app, '--pretty', 'false']).catch((error) => error);
    return ended.stdout;
  }

  test.each(['bundler', 'nodenext'])('finds types that say everything, with %s', async (resolution) => {
    expect(await compile({ 'front-end.ts': source, 'client.ts': client }, resolution)).toBe('');
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
