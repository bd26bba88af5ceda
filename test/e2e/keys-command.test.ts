import { beforeAll, describe, expect, test } from 'vitest';
import { useApp } from '../support/app.js';
import { type Environment, startProgram } from '../support/run-command.js';

/* The built command beside a running server, which knows of each change at once. */

const app = useApp({ authMode: 'required' });
let env: Environment;
beforeAll(() => {
  env = { DATABASE_URL: app.databaseUrl };
});

const CREATE = ['create', '--tenant', 'acme', '--name', 'Website'];
/** With the permission that the request below needs. */
const CREATE_READER = [...CREATE, '--scopes', 'conversations:read'];

const keys = (args: string[], more: Environment = {}) =>
  startProgram(['keys', ...args], { ...env, ...more }).ended;
async function keysJson(args: string[]) {
  const { status, stdout, stderr } = await keys([...args, '--json']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}
const statusOf = async (key: string) =>
  (await app.request('GET', '/admin/api/v2/conversations', { headers: { 'x-api-key': key } })).status;

test('makes a key that serves at once, alone on the standard output', async () => {
  const { status, stdout, stderr } = await keys([
    ...CREATE_READER,
    '--units',
    'sales, legal',
    '--expires',
    '30d',
  ]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^lectern_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}\n$/);
  expect(await statusOf(stdout.trim())).toBe(200);
  expect(stderr).toContain('  units     sales, legal\n');
  expect(stderr).toContain('  datasets  all\n');
  expect(stderr).toContain('  scopes    conversations:read\n');
  expect(stderr).toMatch(/ {2}expires {3}\d{4}-\d\d-\d\d \d\d:\d\d UTC\n/);
  expect(stderr).not.toContain(stdout.trim());
});

test('grants little, and not for ever, unless it is told', async () => {
  const daysOf = ({ createdTime, expiresTime }: Record<string, string>) =>
    (Date.parse(expiresTime ?? '') - Date.parse(createdTime ?? '')) / 86_400_000;
  const made = await keysJson(CREATE);
  expect(made.scopes).toEqual(['documents:read', 'search']);
  expect(daysOf(made)).toBe(90);
  expect(daysOf(await keysJson([...CREATE, '--admin']))).toBe(90);
  expect((await keysJson([...CREATE, '--expires', 'never'])).expiresTime).toBeNull();

  expect((await keys(CREATE)).stderr).toMatch(
    /\nIt expires on \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Replace it before: lectern keys rotate [0-9A-Za-z]{12}\n$/,
  );
  expect((await keys([...CREATE, '--expires', 'never'])).stderr).toMatch(
    /\n {2}expires {3}never\n[\s\S]*\nIt never expires\. Revoke it when it is no longer needed\.\n$/,
  );
});

test('makes the first key of all: one that may make others', async () => {
  const { key, ...made } = await keysJson([...CREATE, '--admin']);
  expect(made).toMatchObject({ tenantId: 'acme', tenantUnitIds: null, datasetIds: null, createdBy: null });
  const { apiKeys } = app.trpc({ 'x-api-key': key });
  const { items } = await apiKeys.list.query({ scope: { tenantId: 'acme' } });
  expect(items[0]).toMatchObject({ id: made.id, name: 'Website' });
});

test('grants the scopes that are named, or all', async () => {
  expect((await keysJson([...CREATE, '--scopes', 'search,chunks:read'])).scopes).toEqual([
    'search',
    'chunks:read',
  ]);
  expect((await keysJson([...CREATE, '--scopes', 'all'])).scopes).toContain('keys:admin');
});

test('lists keys of all tenants, or of one, without their secrets', async () => {
  const { id, key } = await keysJson([
    'create',
    '--tenant',
    'globex',
    '--name',
    'Other',
    '--datasets',
    'faq',
    '--expires',
    'never',
  ]);
  const all = await keysJson(['list']);
  expect(new Set(all.map((one: { tenantId: string }) => one.tenantId))).toContain('acme');
  expect(await keysJson(['list', '--tenant', 'globex'])).toEqual([
    expect.objectContaining({ id, tenantId: 'globex', datasetIds: ['faq'], status: 'active' }),
  ]);
  const { stdout } = await keys(['list', '--tenant', 'globex']);
  expect(stdout.split('\n')[1]).toMatch(
    new RegExp(`^${id}  globex  Other  active  never    never      all    faq `),
  );
  expect(stdout.split('\n')[0]).toMatch(/ {2}made in open mode$/);
  expect(stdout.split('\n')[1]).toMatch(/ {2}no$/);
  expect(stdout).not.toContain(key);
  expect((await keys(['list', '--tenant', 'nobody'])).stdout).toContain('There are no keys.');
});

test('rotates a key by its id, and revokes one by the key itself', async () => {
  const former = await keysJson(CREATE_READER);
  const { status, stdout, stderr } = await keys(['rotate', former.id, '--overlap', '0']);
  const successor = stdout.trim();
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: expect.stringContaining(`${former.id}, is no longer valid.`),
  });
  expect([await statusOf(former.key), await statusOf(successor)]).toEqual([401, 200]);

  expect(await keys(['revoke', successor])).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^The key [0-9A-Za-z]{12}, "Website", is revoked\.\n$/),
  });
  expect(await statusOf(successor)).toBe(401);
  expect(await keys(['rotate', successor])).toEqual({
    status: 1,
    stdout: '',
    stderr: 'This API key is revoked; create another one.\n',
  });
});

test('writes control characters of a name as text, and the same JSON', async () => {
  const name = 'a\u001b[1A\u001b[2K\u009b2J\u202eb';
  const { id } = await keysJson(['create', '--tenant', 'acme', '--name', name]);
  const { stdout } = await keys(['list']);
  expect(stdout).toContain('a\\u001b[1A\\u001b[2K\\u009b2J\\u202eb');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(stdout).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  const listed = await keysJson(['list']);
  expect(listed.find((key: { id: string }) => key.id === id)).toMatchObject({ name });
});

test('says that the key does not exist', async () => {
  for (const command of ['rotate', 'revoke']) {
    expect(await keys([command, 'nobody'])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'API key not found. The ids are in: lectern keys list\n',
    });
  }
});

describe('called wrongly', () => {
  test.each<[string[], string]>([
    [[], 'Say what: create, list, rotate, revoke.'],
    [['make'], 'Say create, list, rotate, revoke, not "make".'],
    [['create', '--name', 'x'], '--tenant is missing.'],
    [['create', '--tenant', 'acme'], '--name is missing.'],
    [[...CREATE, 'now'], 'Unknown argument: now'],
    [[...CREATE, '--units', 'a,,b'], '--units must be units with commas between them.'],
    [[...CREATE, '--scopes', 'eat'], '--scopes must be all, or some of these'],
    [[...CREATE, '--scopes', 'search', '--admin'], '--admin grants all scopes; leave out --scopes.'],
    [[...CREATE, '--admin', '--datasets', 'faq'], '--datasets goes with neither keys:admin nor operations'],
    [[...CREATE, '--expires', 'soon'], '--expires must be never, or a number above 0'],
    [[...CREATE, '--expires', '0d'], '--expires must be never, or a number above 0'],
    [[...CREATE, '--colour', 'red'], "Unknown option '--colour'."],
    [['list', 'all'], 'Unknown argument: all'],
    [['rotate'], 'Name one key, by its id.'],
    [['rotate', 'a', 'b'], 'Name one key, by its id.'],
    [['rotate', 'a', '--overlap', 'long'], '--overlap must be 0, or a number with s, m, h or d.'],
    [['revoke'], 'Name one key, by its id.'],
  ])('with %j it says so', async (args, message) => {
    const { status, stdout, stderr } = await keys(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr.startsWith(message)).toBe(true);
    expect(stderr).toMatch(/\nSee: lectern keys( create| list| rotate| revoke)? --help\n$/);
  });
});

describe('where HOST is for others and AUTH_MODE is not said', () => {
  const HOST = '0.0.0.0';

  test('keys are made all the same', async () => {
    expect(await keys(CREATE, { HOST })).toMatchObject({ status: 0 });
  });

  test('and the database migrated', async () => {
    expect(await startProgram(['migrate'], { ...env, HOST }).ended).toMatchObject({
      status: 0,
      stderr: '',
    });
  });

  test('but no server starts', async () => {
    const { status, stdout, stderr } = await startProgram(['serve'], { ...env, HOST, PORT: '0' }).ended;
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('AUTH_MODE=required');
  });
});

test('the audit trail tells that it was the command line', async () => {
  const { id } = await keysJson(CREATE);
  await keysJson(['rotate', id]);
  await keysJson(['revoke', id]);
  const { items } = await app.app.services.audit.list({
    scope: { tenantId: 'acme' },
    subjectId: id,
    page: 1,
    pageSize: 10,
  });
  expect(items.map(({ action, address, userId, keyId }) => ({ action, address, userId, keyId }))).toEqual(
    ['revoke', 'rotate', 'create'].map((done) => ({
      action: `apiKeys.${done}`,
      address: 'command line',
      userId: null,
      keyId: null,
    })),
  );
});

test.each([
  [['--help'], '<command>'],
  [['create', '--help'], 'create'],
  [['list', '-h'], 'list'],
  [['rotate', '--help'], 'rotate <id>'],
  [['revoke', '--help'], 'revoke <id>'],
])('%j explains', async (args, usage) => {
  const { status, stdout } = await keys(args);
  expect(status).toBe(0);
  expect(stdout).toContain(`Usage: lectern keys ${usage}`);
});
