import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runPage } from './run-page.js';

/* That the blocks of a page fail where readers would, and that the failure says where. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'lectern-pages-'));
afterAll(() => rmSync(folder, { recursive: true }));
let pages = 0;

/** Runs a page with these lines, which begin at its third. Blocks that need no server are after an installation. */
function run(...lines: string[]) {
  const page = path.join(folder, `${++pages}.md`);
  writeFileSync(page, `# A page\n\n${lines.join('\n')}\n`);
  return runPage(page).then(
    (counts) => counts,
    (error: Error) => error.message.replace(page, 'PAGE'),
  );
}

const INSTALLED = ['```sh install', 'npm ci', '```'];

test('blocks share a shell, and the programs and statements of a page its server', async () => {
  const counts = await run(
    '```sh',
    'API=http://127.0.0.1:8080/admin/api/v2/conversations',
    'curl -s $API/nothing   # 404',
    'CONVERSATION=$(curl -s $API -X POST | grep -o \'"id":"[^"]*"\' | head -n 1 | cut -d \'"\' -f 4)',
    '```',
    '```sql',
    "update conversations set topic = 'Parcels' where id = 'CONVERSATION'",
    '```',
    '- In a list:',
    '  ```sh',
    '  curl -s $API/$CONVERSATION',
    '  ```',
    '  ```json',
    '  { "topic": "Letters" }',
    '  ```',
    '```ts',
    'const { items } = await lectern.trpc.conversations.list.query({});',
    '```',
    '```sh manual',
    'lectern keys create --tenant TENANT --name NAME',
    '```',
    '```ts',
    'if (items[0]?.topic !== "Parcels") throw new Error(JSON.stringify(items));',
    '```',
  );
  expect(counts).toEqual({ run: 5, parsed: 1 });
});

test.concurrent.for([
  [
    ['```sh', 'true', 'ls \\', '  nowhere', '```'],
    /^PAGE:9: ended with status 2\nls \\\n {2}nowhere\nIt printed:\nls: .*nowhere/,
  ],
  [['```sh', 'if', '```'], /^PAGE:7: bash: line 8: syntax error/],
  [['```sh', 'exit 0', '```'], /^PAGE:7: the shell has ended\n/],
  [['```sh', 'true   # 404', '```'], /^PAGE:7: no answer was 404\n/],
  [['```sh', 'ls /etc', '```'], /^PAGE:7: commands that are run must not have: \/etc\n/],
  [['```sh', 'docker ps', '```'], /^PAGE:7: commands that are run must not have: docker\n/],
  [['```sh', 'false && true', '```'], /^PAGE:7: commands that are run must not have: &&\n/],
  [
    ['```sh install', 'npm ci && npm run build', '```'],
    /^PAGE:7: is no part of the installation: npm run build\n/,
  ],
  [
    ['```sh docker', 'docker compose exec api lectern backup --too /backups', '```'],
    /^PAGE:7: lectern backup has no option --too\n/,
  ],
  [
    ['```sh systemd', 'cp ops/systemd/*.unit /etc', '```'],
    /^PAGE:7: ops\/systemd\/\*\.unit does not exist\n/,
  ],
  [['```sh manual', 'if', '```'], /^PAGE:7: bash: line 8: syntax error/],
  [
    ['```sh', 'echo \'{"a":[{"b":1}]}\'', '```', '```json', '{"a":[{"b":"text"}]}', '```'],
    /^PAGE:10: shows another answer: answer\.a\[0\]\.b is number, not string\n/,
  ],
  [
    ['```ts', 'const one: string = 1;', '```'],
    /^PAGE: a program does not compile\n\d+-7\.ts\(7,7\): error TS2322/,
  ],
  [
    ['```ts', "throw new Error('wrong');", '```'],
    /^PAGE:7: ended with status 1\n[\s\S]*Error: wrong\n {4}at .*\.ts:7:7\)/,
  ],
  [['```sql', "select 'ID'", '```'], /^PAGE:7: no command before has set ID$/],
  [['Save this as `never.mjs`:', '', '```js', 'true;', '```'], /^PAGE:9: the page does not run it$/],
  [['```', 'ls', '```'], /^PAGE:6: no block is marked ```;/],
  [['```bash', 'ls', '```'], /^PAGE:6: no block is marked ```bash;/],
  [['```sh', 'ls'], /^PAGE:6: the block has no end\.$/],
] as const)('%j', async ([lines, message]) => {
  expect(await run(...INSTALLED, ...lines)).toMatch(message);
});

test('an answer that is an error fails, unless the page says so', async () => {
  const call = 'curl -s http://127.0.0.1:8080/admin/api/v1/documents/none?tenantId=acme';
  const announced = ['```sh', call, '```', '', 'The answer is 404.', ''];
  expect(await run(...announced, '```sh', call, '```')).toMatch(
    /^PAGE:10: ended with status 22\ncurl .*none\?tenantId=acme\n.*\n.*404/,
  );
  expect(await run('```sh', 'true', `${call} | cat`, '```')).toMatch(/^PAGE:5: ended with status 22\ncurl /);
});
