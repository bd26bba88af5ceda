import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRestClient } from '../integration/support/rest-client.js';
import { createAnswers, expectAnswers, QUESTIONS_FILE } from '../integration/support/same-answers.js';
import { useApp } from '../support/app.js';
import { findPython } from '../support/find-python.js';

/*
 * Programs in Python call a server: with the package of Lectern, whose wheel is built and installed as its README says, and
 * with that of OpenAI. Packages come from the registries.
 */

const execute = promisify(execFile);
const repo = path.resolve(import.meta.dirname, '../..');
const project = path.join(repo, 'clients/python');
const examples = path.join(repo, 'examples/python');
const python = findPython();

// Who has no Python can still work here; where changes are let in, it must be there.
describe.skipIf(python === undefined && !process.env.CI)('Python', () => {
  const app = useApp({ authMode: 'required' });
  const fresh = useApp({ authMode: 'required' });
  let folder: string;
  let env: NodeJS.ProcessEnv;

  const run = (file: string, args: string[], cwd = folder) =>
    execute(file, args, { cwd, env }).catch((error) => {
      throw new Error(`${error.message}\n${error.stdout}`);
    });
  const tool = (name: string, ...args: string[]) => run(path.join(folder, 'venv/bin', name), args);

  beforeAll(async () => {
    if (python === undefined) throw new Error('Python 3.10 or newer, with venv, is needed for the package.');
    folder = await mkdtemp(path.join(os.tmpdir(), 'lectern-python-'));
    const key = async (tenantId: string, ...scopes: ('documents:read' | 'documents:write' | 'search')[]) =>
      (await app.makeKey({ scope: { tenantId }, scopes })).key;
    env = {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: '1',
      PIP_DISABLE_PIP_VERSION_CHECK: '1',
      LECTERN_URL: app.address,
      LECTERN_KEY: (await app.makeKey()).key,
      LECTERN_SEARCH_KEY: await key('acme', 'search'),
      EXAMPLE_KEY: await key('example', 'documents:read', 'documents:write', 'search'),
    };
    await run(python, ['-m', 'venv', 'venv']);
    await tool('pip', 'wheel', '--quiet', '--no-deps', '--wheel-dir', 'wheels', project);
    const [wheel = ''] = await readdir(path.join(folder, 'wheels'));
    await tool(
      'pip',
      'install',
      '--quiet',
      '--requirement',
      path.join(project, 'tests/requirements.txt'),
      '--requirement',
      path.join(import.meta.dirname, 'openai/requirements.txt'),
      `wheels/${wheel}[langchain]`,
    );
  }, 900_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('the package has the version of the server', async () => {
    const { version } = JSON.parse(await readFile(path.join(repo, 'package.json'), 'utf8'));
    expect(await readdir(path.join(folder, 'wheels'))).toEqual([
      `lectern_client-${version}-py3-none-any.whl`,
    ]);
  });

  test('the package has types that mypy --strict accepts, also where they are used', async () => {
    const config = ['--config-file', path.join(project, 'pyproject.toml'), '--cache-dir', 'mypy'];
    const { stdout } = await tool('mypy', ...config, '-p', 'lectern');
    expect(stdout).toMatch(/^Success: no issues found in \d\d source files\n$/);
    const tests = (await readdir(path.join(project, 'tests'))).filter((name) => name.endsWith('.py'));
    const users = [
      ...(await findPrograms()).map((name) => path.join(examples, name)),
      ...tests.map((name) => path.join(project, 'tests', name)),
    ];
    const checked = await tool('mypy', ...config, ...users);
    expect(checked.stdout).toBe(`Success: no issues found in ${users.length} source files\n`);
  });

  test('the package does what its tests expect', async () => {
    const { stdout } = await tool('pytest', '--quiet', '-p', 'no:cacheprovider', project);
    expect(stdout).toMatch(/^\d\d passed in .*\n$/m);
  });

  test('the package is used by the examples', async () => {
    expect(await findPrograms()).toEqual(['ask.py', 'retrieve.py']);
    env = { ...env, LECTERN_KEY: env.EXAMPLE_KEY };
    const policy = path.join(repo, 'demo/documents/travel-policy.docx');
    const question = 'How much may a hotel "room" cost in London?';
    for (const name of await findPrograms()) {
      const program = path.join(examples, name);
      expect((await tool('python', program, policy, question)).stdout).toContain('190 euros in London');
      const called = execute(path.join(folder, 'venv/bin/python'), [program], { env });
      await expect(called).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: `Usage: python ${name} FILE QUESTION\n`,
      });
    }
    const called = execute(
      path.join(folder, 'venv/bin/python'),
      [path.join(examples, 'ask.py'), policy, '?'],
      {
        env: { ...env, LECTERN_KEY: 'wrong' },
      },
    );
    await expect(called).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^401: A valid API key/),
    });
  });

  test('the package does what the guide says', async () => {
    const page = await readFile(path.join(repo, 'docs/guide/how-to/call-from-python.md'), 'utf8');
    const blocks = Array.from(page.matchAll(/^```python\n([\s\S]*?)^```$/gm), ([, text]) => text!);
    expect(blocks.length).toBeGreaterThan(3);
    const work = path.join(folder, 'guide');
    await mkdir(work);
    await writeFile(path.join(work, 'refunds.txt'), 'A refund takes five days.');
    // A server of the guide needs no key, and has every tenant.
    const open = blocks.join('\n').replaceAll('http://127.0.0.1:8080', app.address);
    const keyed = open.replaceAll('tenant_unit_id="support"', `$&, api_key="${(await app.makeKey()).key}"`);
    await writeFile(path.join(work, 'page.py'), keyed);
    const { stdout } = await run(path.join(folder, 'venv/bin/python'), ['page.py'], work);
    expect(stdout).toContain('A refund takes five days.');
  });

  test('the OpenAI package finds by a base URL and a key', async () => {
    const { key } = await app.makeKey({ scope: { tenantId: 'acme', tenantUnitId: 'sales' } });
    const rest = createRestClient({
      ...app,
      request: (method, route, options) =>
        app.request(method, route, { ...options, headers: { 'x-api-key': key, ...options?.headers } }),
    });
    for (const colour of ['red', 'green', 'blue']) {
      const documentContent = `The harbour of the ${colour} town.`;
      await rest.createDocument({ documentName: colour, documentContent, customProperties: { colour } }, [
        colour === 'blue' ? 'other' : 'faq',
      ]);
    }
    await app.settle();
    const program = path.join(import.meta.dirname, 'openai/search.py');
    const { stdout } = await tool('python', program, app.address, key);
    const fault = { type: 'invalid_request_error' };
    expect(JSON.parse(stdout)).toEqual({
      listed: ['vs_sales.faq', 'vs_sales.other'],
      turned: ['vs_sales.other', 'vs_sales.faq'],
      retrieved: 'faq',
      found: [['red', 'The harbour of the red town.', 'sales', true]],
      unknown: [
        'NotFoundError',
        404,
        {
          ...fault,
          message: 'There is no such vector store, or the API key may not read it.',
          param: 'vector_store_id',
          code: 'not_found',
        },
      ],
      unsupported: [
        'BadRequestError',
        400,
        {
          ...fault,
          message: 'rewrite_query: is not supported: queries are searched as they are',
          param: 'rewrite_query',
          code: 'value_error.invalid_value',
        },
      ],
    });
  });

  test('the OpenAI package and LangChain find what others find', async () => {
    const key = await createAnswers(fresh);
    const program = path.join(import.meta.dirname, 'same-answers.py');
    const { stdout } = await tool('python', program, fresh.address, key, path.join(repo, QUESTIONS_FILE));
    const found = Object.entries<string[][]>(JSON.parse(stdout));
    expect(found.map(([name]) => name)).toEqual([
      'openai.OpenAI',
      'openai.AsyncOpenAI',
      'LangChain',
      'LangChain with asyncio',
    ]);
    for (const [, answers] of found) await expectAnswers(async () => answers.shift() ?? []);
  });

  const findPrograms = async () => (await readdir(examples)).filter((name) => name.endsWith('.py')).sort();
});
