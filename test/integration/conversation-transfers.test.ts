import { once } from 'node:events';
import net from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { useApp } from '../support/app.js';
import { waitFor } from '../support/wait-for.js';

const app = useApp({ authMode: 'required' });

type Client = ReturnType<typeof app.trpc>;
type ImportInput = Parameters<Client['conversations']['import']['mutate']>[0];
type Conversation = ImportInput['conversations'][number];
type Message = Conversation['messages'][number];

const keyOf = async (tenantId: string, fields: Parameters<typeof app.makeKey>[0] = {}) =>
  (await app.makeKey({ scope: { tenantId }, ...fields })).key;
const clientOf = async (...of: Parameters<typeof keyOf>) => app.trpc({ 'x-api-key': await keyOf(...of) });

/** The file of an export. */
async function download(tenantId: string, input: object = {}): Promise<string> {
  const response = await request(await keyOf(tenantId), { scope: { tenantId }, ...input });
  expect(response.status).toBe(200);
  return response.text();
}

const request = (key: string, input: unknown, method = 'GET') =>
  fetch(`${app.address}/exports/conversations?input=${encodeURIComponent(JSON.stringify(input))}`, {
    method,
    headers: { 'x-api-key': key },
  });

/** The conversations of a file. */
function parse(file: string): Conversation[] {
  const conversations: Conversation[] = [];
  for (const line of file.split('\n').filter(Boolean)) {
    const { record, format: _, conversationId, ...fields } = JSON.parse(line);
    if (record === 'conversation') conversations.push({ ...fields, messages: [] });
    else conversations.find(({ id }) => id === conversationId)?.messages.push(fields);
  }
  return conversations;
}

const importInto = async (tenantId: string, conversations: Conversation[]) =>
  (await clientOf(tenantId)).conversations.import.mutate({ scope: { tenantId }, conversations });

const TIME = '2026-03-01T10:00:00.000000Z';

const conversation = (
  id: string,
  messages: Message[] = [],
  fields: Partial<Conversation> = {},
): Conversation => ({
  id,
  tenantUnitId: 'sales',
  topic: 'Delivery',
  agentId: 'support',
  userId: 'ada',
  status: 'running',
  createdTime: TIME,
  updatedTime: TIME,
  ...fields,
  messages,
});

const message = (id: string, fields: Partial<Message> = {}): Message => ({
  id,
  agentId: 'support',
  userId: 'ada',
  runId: 'run-1',
  messageFrom: 'user',
  content: 'Where is it?',
  requestedTime: TIME,
  ...fields,
});

/** All columns of a tenant's conversations and messages, but those that the import sets. */
async function rowsOf(tenantId: string) {
  const conversations = await app.db
    .selectFrom('conversations')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .orderBy('id')
    .execute();
  const messages = await app.db
    .selectFrom('messages')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .orderBy('id')
    .execute();
  const reviews = await app.db
    .selectFrom('conversationReviews')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .orderBy('id')
    .execute();
  const { rows: labels } = await sql<Record<string, unknown>>`
    select c.id, l.name, l.color, m.created_time = c.created_time as is_same_time
    from conversation_labels as m join labels as l using (tenant_id) join conversations as c using (tenant_id)
    where m.tenant_id = ${tenantId} and m.label_id = l.id and m.conversation_id = c.id and l.id = any(c.labels)
    order by c.id, l.name`.execute(app.db);
  const clean = ({ tenantId: _, writtenTime: _w, labels: _l, ...row }: Record<string, unknown>) => row;
  return {
    conversations: conversations.map(clean),
    messages: messages.map(clean),
    reviews: reviews.map(clean),
    labels,
  };
}

const refused = (httpStatus: number, loc: (string | number)[], msg?: string) => ({
  data: { httpStatus, detail: [msg === undefined ? { loc } : { loc, msg }] },
});

test('an import of an export has every field, the order and the numbers of messages, and open messages', async () => {
  const scope = { tenantId: 'origin', tenantUnitId: 'sales' };
  const origin = app.trpc({ 'x-api-key': await keyOf('origin'), 'x-user-id': 'ada' });
  const created = await origin.conversations.create.mutate({
    scope,
    topic: 'Straße 🚚 </script>',
    inputs: { ü: [1.5, null, { '"': '\\' }], __proto__: 'x' },
    assignmentId: 'a-1',
  });
  await origin.conversations.setStatus.mutate({ scope, conversationId: created.id, status: 'succeeded' });
  const write = (messages: Partial<Message>[]) =>
    origin.messages.append.mutate({ conversationId: created.id, messages: messages as never });
  const rich = {
    runId: 'run-1',
    inputTokens: 12,
    answerTokens: 4.5,
    feedback: 'up',
    metadata: { sources: [{ id: 1 }] },
    type: 'text',
    userType: 'employee',
    status: 'finished',
    eventTrace: '[{"event":"end"}]',
  };
  // Two of the same millisecond, and one that is stored last but is the first of the transcript.
  await write([
    { id: 'm-2', messageFrom: 'user', content: 'second', requestedTime: '2026-03-01T10:00:00Z' },
    {
      id: 'm-1',
      messageFrom: 'agent',
      content: 'third\u2028\r\n',
      requestedTime: '2026-03-01T10:00:00Z',
      ...rich,
    },
  ]);
  await write([{ id: 'm-3', messageFrom: 'user', content: 'first', requestedTime: '2026-03-01T09:00:00Z' }]);
  const part = { scope, conversationId: created.id, text: 'Once ' };
  for (const messageId of ['open', 'closed']) {
    await origin.messages.stream.mutate({ ...part, messageId, part: 0, message: { messageFrom: 'agent' } });
    await origin.messages.stream.mutate({
      ...part,
      messageId,
      part: 1,
      ...(messageId === 'closed' && { close: {} }),
    });
  }
  const empty = await origin.conversations.create.mutate({ scope: { ...scope, tenantUnitId: 'empty' } });
  const inConversation = { scope, conversationId: created.id };
  const judged = { ...inConversation, messageId: 'm-2', feedback: 'down', note: 'Wrong 🚚\n' } as const;
  await origin.messages.setFeedback.mutate(judged);
  for (const verdict of ['bad', 'good'] as const)
    await origin.conversations.review.mutate({ ...inConversation, verdict, note: `${verdict} "here"` });
  const label = (name: string, color: string) => origin.labels.create.mutate({ scope, name, color });
  const labels = [
    await label('zeta', '#123456'),
    await label('Älpha', '#abcdef'),
    await label('unused', '#000000'),
  ];
  await origin.conversations.setLabels.mutate({
    ...inConversation,
    add: labels.slice(0, 2).map(({ id }) => id),
  });
  await origin.conversations.setLabels.mutate({
    scope: { tenantId: 'origin' },
    conversationId: empty.id,
    add: [labels[0]!.id],
  });

  const file = await download('origin');
  expect(file.split('\n').map((line) => line && JSON.parse(line).id)).toEqual([
    ...[created.id, 'm-3', 'm-2', 'm-1', 'open', 'closed'],
    ...[empty.id, ''],
  ]);
  expect(await importInto('copy', parse(file))).toEqual({ conversations: 2, messages: 5 });
  expect(await download('copy')).toBe(file);
  expect(await rowsOf('copy')).toEqual(await rowsOf('origin'));
  expect((await rowsOf('copy')).labels).toEqual([
    { id: created.id, name: 'zeta', color: '#123456', isSameTime: true },
    { id: created.id, name: 'Älpha', color: '#abcdef', isSameTime: true },
    { id: empty.id, name: 'zeta', color: '#123456', isSameTime: true },
  ]);
  expect(await importInto('copy', parse(file))).toEqual({ conversations: 0, messages: 0 });
  expect(await download('copy')).toBe(file);

  const copy = await clientOf('copy');
  const [counted, none] = (
    await copy.conversations.list.query({ scope: { tenantId: 'copy' }, order: 'oldest' })
  ).items;
  expect([counted?.messageCount, none?.messageCount]).toEqual([5, 0]);
  const toCopy = { ...part, scope: { tenantId: 'copy' } };
  expect(await copy.messages.stream.mutate({ ...toCopy, messageId: 'open', part: 2, close: {} })).toEqual({
    messageId: 'open',
    parts: 3,
    isOpen: false,
  });
  const later = await copy.messages.append.mutate({
    conversationId: created.id,
    messages: [{ id: 'later', messageFrom: 'user', content: 'later' }],
  });
  expect(later.newIds).toEqual(['later']);
  const [{ sequence }] = (await rowsOf('copy')).messages.filter(({ id }) => id === 'later') as [
    { sequence: number },
  ];
  // Five messages, the ends of two that were open, and feedback took the numbers before.
  expect(sequence).toBe(9);
});

const SMALL = [
  conversation(
    'c-1',
    [
      message('m-1', { content: 'Where "is", it?\nHere?' }),
      message('m-2', {
        messageFrom: 'agent',
        content: '=HYPERLINK("https://evil.test")',
        requestedTime: '2026-03-01T10:00:01.000002Z',
        inputTokens: 12,
        metadata: { a: 1 },
        isOpen: true,
        writtenParts: 1,
        sequence: 1,
        feedback: 'down',
        feedbackNote: '<Wrong>',
        feedbackBy: 'eve',
        feedbackTime: '2026-03-01T10:05:00Z',
      }),
    ],
    {
      labels: [
        { name: 'VIP', color: '#00ff00' },
        { name: 'Refund', color: '#FF0000' },
      ],
      reviews: [
        {
          id: 'r-1',
          verdict: 'bad',
          note: 'Too long.\n"Late"',
          reviewedTime: '2026-03-01T11:00:00.000001Z',
          reviewedBy: 'bob',
        },
        { id: 'r-2', verdict: 'good', reviewedTime: '2026-03-01T12:00:00Z' },
      ],
    },
  ),
  conversation('c-2', [], { topic: null, createdTime: '2026-03-02T10:00:00Z' }),
];

test.each<[string, string, string]>([
  [
    'ndjson',
    'application/x-ndjson',
    `{"record":"conversation","format":1,"id":"c-1","tenantUnitId":"sales","topic":"Delivery","agentId":"support","userId":"ada","agentMode":"chat","agentType":null,"extendProperties":{},"invokeFrom":null,"inputs":null,"status":"running","assignmentId":null,"createdTime":"2026-03-01T10:00:00.000000Z","updatedTime":"2026-03-01T10:00:00.000000Z","createdBy":null,"updatedBy":null,"createdByRole":null,"updatedByRole":null,"createdByName":null,"updatedByName":null,"version":1,"messageSequence":1,"labels":[{"name":"Refund","color":"#ff0000"},{"name":"VIP","color":"#00ff00"}],"reviews":[{"id":"r-1","note":"Too long.\\n\\"Late\\"","verdict":"bad","reviewedBy":"bob","reviewedTime":"2026-03-01T11:00:00.000001Z"},{"id":"r-2","note":null,"verdict":"good","reviewedBy":null,"reviewedTime":"2026-03-01T12:00:00.000000Z"}]}
{"record":"message","conversationId":"c-1","id":"m-1","agentId":"support","userId":"ada","runId":"run-1","messageFrom":"user","content":"Where \\"is\\", it?\\nHere?","requestedTime":"2026-03-01T10:00:00.000000Z","inputTokens":null,"answerTokens":null,"totalTokens":null,"feedback":null,"feedbackNote":null,"feedbackBy":null,"feedbackTime":null,"metadata":null,"type":null,"userType":null,"status":null,"eventTrace":null,"createdBy":null,"updatedBy":null,"createdByRole":null,"updatedByRole":null,"sequence":0,"isOpen":null,"writtenParts":null}
{"record":"message","conversationId":"c-1","id":"m-2","agentId":"support","userId":"ada","runId":"run-1","messageFrom":"agent","content":"=HYPERLINK(\\"https://evil.test\\")","requestedTime":"2026-03-01T10:00:01.000002Z","inputTokens":12,"answerTokens":null,"totalTokens":null,"feedback":"down","feedbackNote":"<Wrong>","feedbackBy":"eve","feedbackTime":"2026-03-01T10:05:00.000000Z","metadata":{"a": 1},"type":null,"userType":null,"status":null,"eventTrace":null,"createdBy":null,"updatedBy":null,"createdByRole":null,"updatedByRole":null,"sequence":1,"isOpen":true,"writtenParts":1}
{"record":"conversation","format":1,"id":"c-2","tenantUnitId":"sales","topic":null,"agentId":"support","userId":"ada","agentMode":"chat","agentType":null,"extendProperties":{},"invokeFrom":null,"inputs":null,"status":"running","assignmentId":null,"createdTime":"2026-03-02T10:00:00.000000Z","updatedTime":"2026-03-01T10:00:00.000000Z","createdBy":null,"updatedBy":null,"createdByRole":null,"updatedByRole":null,"createdByName":null,"updatedByName":null,"version":1,"messageSequence":0,"labels":[],"reviews":[]}
`,
  ],
  [
    'csv',
    'text/csv; charset=utf-8; header=present',
    [
      'conversationId,tenantUnitId,topic,conversationStatus,assignmentId,labels,messageId,requestedTime,messageFrom,content,agentId,userId,runId,type,userType,status,feedback,feedbackNote,feedbackBy,feedbackTime,inputTokens,answerTokens,totalTokens,metadata,eventTrace',
      'c-1,sales,Delivery,running,,"Refund, VIP",m-1,2026-03-01T10:00:00.000000Z,user,"Where ""is"", it?\nHere?",support,ada,run-1,,,,,,,,,,,,',
      'c-1,sales,Delivery,running,,"Refund, VIP",m-2,2026-03-01T10:00:01.000002Z,agent,"\'=HYPERLINK(""https://evil.test"")",support,ada,run-1,,,,down,<Wrong>,eve,2026-03-01T10:05:00.000000Z,12,,,"{""a"": 1}",',
      '',
    ].join('\r\n'),
  ],
  [
    'markdown',
    'text/markdown; charset=utf-8',
    `# Delivery

- Conversation: c-1
- Unit: sales
- Agent: support
- User: ada
- Status: running
- Created: 2026-03-01T10:00:00.000000Z
- Labels: Refund, VIP
- Review: bad, by bob, 2026-03-01T11:00:00.000001Z: Too long. "Late"
- Review: good, 2026-03-01T12:00:00.000000Z

## user, 2026-03-01T10:00:00.000000Z

\`\`\`text
Where "is", it?
Here?
\`\`\`

## agent, 2026-03-01T10:00:01.000002Z (being written)

\`\`\`text
=HYPERLINK("https://evil.test")
\`\`\`

Feedback: down, by eve, 2026-03-01T10:05:00.000000Z: \\<Wrong\\>

# c-2

- Conversation: c-2
- Unit: sales
- Agent: support
- User: ada
- Status: running
- Created: 2026-03-02T10:00:00.000000Z

`,
  ],
  [
    'html',
    'text/html; charset=utf-8',
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Conversations</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
h1 { border-top: 1px solid; padding-top: 1rem; font-size: 1.3rem; }
h2 { font-size: 1rem; margin-bottom: 0; }
dl { display: grid; grid-template-columns: max-content auto; gap: 0 1rem; }
dd { margin: 0; }
p, blockquote { white-space: pre-wrap; overflow-wrap: anywhere; margin-top: 0; }
</style>
</head>
<body>
<h1>Delivery</h1>
<dl>
<dt>Conversation</dt><dd>c-1</dd>
<dt>Unit</dt><dd>sales</dd>
<dt>Agent</dt><dd>support</dd>
<dt>User</dt><dd>ada</dd>
<dt>Status</dt><dd>running</dd>
<dt>Created</dt><dd>2026-03-01T10:00:00.000000Z</dd>
<dt>Labels</dt><dd>Refund, VIP</dd>
</dl>
<blockquote dir="auto">Review: bad, by bob, 2026-03-01T11:00:00.000001Z
Too long.
&#34;Late&#34;</blockquote>
<blockquote dir="auto">Review: good, 2026-03-01T12:00:00.000000Z</blockquote>
<h2>user, <time>2026-03-01T10:00:00.000000Z</time></h2>
<p dir="auto">Where &#34;is&#34;, it?
Here?</p>
<h2>agent, <time>2026-03-01T10:00:01.000002Z</time> (being written)</h2>
<p dir="auto">=HYPERLINK(&#34;https://evil.test&#34;)</p>
<blockquote dir="auto">Feedback: down, by eve, 2026-03-01T10:05:00.000000Z
&#60;Wrong&#62;</blockquote>
<h1>c-2</h1>
<dl>
<dt>Conversation</dt><dd>c-2</dd>
<dt>Unit</dt><dd>sales</dd>
<dt>Agent</dt><dd>support</dd>
<dt>User</dt><dd>ada</dd>
<dt>Status</dt><dd>running</dd>
<dt>Created</dt><dd>2026-03-02T10:00:00.000000Z</dd>
</dl>
</body>
</html>
`,
  ],
])('the whole file of %s', async (format, type, text) => {
  const tenantId = `small-${format}`;
  // The first message had no number before there were numbers.
  const [first, ...rest] = structuredClone(SMALL) as [Conversation];
  (first.messages[0] as Message).sequence = 0;
  await importInto(tenantId, [first, ...rest]);
  const response = await request(await keyOf(tenantId), { scope: { tenantId }, format });
  expect(response.headers.get('content-type')).toBe(type);
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="conversations\.\w+"$/);
  expect(await response.text()).toBe(text);
});

test('hostile text stays text', async () => {
  const contents = [
    '+1',
    '-1',
    '@a',
    '\tx',
    '\rx',
    '＝1',
    'a=1',
    '```\n# x\n`````',
    '</p><script>alert(1)</script>&amp;',
  ];
  const topic = '# <script>x</script>\n- [a](javascript:x) `b`';
  const messages = contents.map((content, place) => message(`h-${place}`, { content }));
  await importInto('hostile', [conversation('h', messages, { topic })]);
  const csv = await download('hostile', { format: 'csv' });
  const cells = [`'+1`, `'-1`, `'@a`, `'\tx`, `"'\rx"`, `'＝1`, 'a=1', '"```\n# x\n`````"', contents[8]];
  for (const cell of cells) expect(csv).toContain(`,user,${cell},support,`);
  const markdown = await download('hostile', { format: 'markdown' });
  expect(markdown).toContain('# \\# \\<script\\>x\\</script\\> - \\[a\\](javascript:x) \\`b\\`\n');
  expect(markdown).toContain('\n``````text\n```\n# x\n`````\n``````\n');
  const html = await download('hostile', { format: 'html' });
  expect(html).not.toContain('<script');
  expect(html).toContain('&#60;/p&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#38;amp;');
});

test('NUL and half of a surrogate pair are refused where they are', async () => {
  const [high, nul] = ['\ud800', '\0'];
  const unstorable = 'must not contain NUL characters or unpaired surrogates';
  const bad = [conversation('bad', [message('b-1'), message('b-2', { content: high })], { topic: nul })];
  await expect(importInto('acme', bad)).rejects.toMatchObject({
    data: {
      httpStatus: 422,
      detail: [
        { loc: ['conversations', 0, 'topic'], msg: unstorable },
        { loc: ['conversations', 0, 'messages', 1, 'content'], msg: unstorable },
      ],
    },
  });
});

test('a filter, a unit or an id selects what is exported', async () => {
  const tenantId = 'filtered';
  const many = Array.from({ length: 45 }, (_, place) =>
    conversation(`f-${String(place).padStart(2, '0')}`, [message(`f-${place}`)], {
      tenantUnitId: place % 2 ? 'odd' : 'even',
      status: place % 3 ? 'running' : 'succeeded',
      // Some of the same time.
      createdTime: `2026-03-01T10:00:0${place % 10}Z`,
    }),
  );
  await importInto(tenantId, many);
  const idsOf = async (input: object) => parse(await download(tenantId, input)).map(({ id }) => id);
  const ids = (select: (place: number) => boolean) =>
    many
      .filter((_, place) => select(place))
      .sort((a, b) => (a.createdTime + a.id < b.createdTime + b.id ? -1 : 1))
      .map(({ id }) => id);
  expect(await idsOf({})).toEqual(ids(() => true));
  expect(await idsOf({ statuses: ['succeeded', 'failed'] })).toEqual(ids((place) => place % 3 === 0));
  expect(await idsOf({ scope: { tenantId, tenantUnitId: 'odd' } })).toEqual(ids((place) => place % 2 === 1));
  expect(await idsOf({ agentId: 'nobody' })).toEqual([]);
  expect(await idsOf({ conversationId: 'f-07' })).toEqual(['f-07']);
  const ofUnit = await keyOf(tenantId, { scope: { tenantId, tenantUnitId: 'odd' } });
  const own = await request(ofUnit, { scope: { tenantId } });
  expect(parse(await own.text()).map(({ id }) => id)).toEqual(ids((place) => place % 2 === 1));
  const strange = await request(ofUnit, { scope: { tenantId }, conversationId: 'f-08' });
  const unknown = await request(ofUnit, { scope: { tenantId }, conversationId: 'nothing' });
  expect([strange.status, await strange.json()]).toEqual([unknown.status, await unknown.json()]);
  expect(strange.status).toBe(404);
});

test('keys of other tenants, without the permission, or none at all get nothing', async () => {
  const input = { scope: { tenantId: 'filtered' } };
  const answers = [
    await request('', input),
    await request(await keyOf('acme'), input),
    await request(await keyOf('filtered', { scopes: ['conversations:write', 'messages:write'] }), input),
    await request(await keyOf('filtered'), { ...input, format: 'pdf' }),
    await request(await keyOf('filtered'), input, 'POST'),
    await fetch(`${app.address}/exports/conversations?input={`, {
      headers: { 'x-api-key': await keyOf('filtered') },
    }),
  ];
  expect(await Promise.all(answers.map(async (one) => [one.status, (await one.json()).detail]))).toEqual([
    [401, [expect.objectContaining({ type: 'unauthorized' })]],
    [403, [expect.objectContaining({ loc: ['scope', 'tenantId'] })]],
    [
      403,
      [
        {
          type: 'forbidden',
          loc: [],
          msg: 'This API key may not do this: it lacks the scope conversations:read.',
        },
      ],
    ],
    [422, [expect.objectContaining({ loc: ['format'] })]],
    [405, [expect.objectContaining({ type: 'method_not_allowed' })]],
    [422, [{ type: 'json_invalid', loc: ['input'], msg: 'must be JSON' }]],
  ]);
  expect((await request(await keyOf('filtered'), input, 'HEAD')).headers.get('content-type')).toBe(
    'application/x-ndjson',
  );
  for (const lacked of ['conversations:write', 'messages:write'] as const) {
    const other = lacked === 'messages:write' ? 'conversations:write' : 'messages:write';
    const client = await clientOf('acme', { scopes: [other] });
    const calling = client.conversations.import.mutate({
      scope: { tenantId: 'acme' },
      conversations: [conversation('no')],
    });
    await expect(calling).rejects.toMatchObject(
      refused(403, [], `This API key may not do this: it lacks the scope ${lacked}.`),
    );
  }
});

test('an import stores each id once, and nothing of a request with another one of the same id', async () => {
  const stored = [conversation('i-1', [message('i-1')]), conversation('i-2', [message('i-2')])];
  expect(await importInto('twice', stored)).toEqual({ conversations: 2, messages: 2 });
  expect(await importInto('twice', stored)).toEqual({ conversations: 0, messages: 0 });
  const more = [conversation('i-1', [message('i-1'), message('i-3')])];
  expect(await importInto('twice', more)).toEqual({ conversations: 0, messages: 1 });
  const before = await rowsOf('twice');
  const fresh = conversation('i-9', [message('i-9')]);
  const others: [Conversation, (string | number)[]][] = [
    [conversation('i-1', [], { userId: 'bob' }), ['conversations', 1, 'id']],
    [conversation('i-1', [], { createdTime: '2026-03-01T10:00:00.001Z' }), ['conversations', 1, 'id']],
    [conversation('i-1', [message('i-9b'), message('i-2')]), ['conversations', 1, 'messages', 1, 'id']],
    [conversation('i-1', [message('i-1', { content: 'else' })]), ['conversations', 1, 'messages', 0, 'id']],
  ];
  for (const [other, loc] of others) {
    await expect(importInto('twice', [fresh, other])).rejects.toMatchObject(refused(409, loc));
  }
  const double: [Conversation[], (string | number)[]][] = [
    [
      [fresh, { ...fresh, userId: 'bob' }],
      ['conversations', 1, 'id'],
    ],
    [
      [fresh, conversation('i-8', [message('i-9')])],
      ['conversations', 1, 'messages', 0, 'id'],
    ],
    [
      [conversation('i-8', [message('i-8'), message('i-8', { content: 'else' })])],
      ['conversations', 0, 'messages', 1, 'id'],
    ],
  ];
  for (const [conversations, loc] of double) {
    await expect(importInto('twice', conversations)).rejects.toMatchObject(refused(409, loc));
  }
  expect(await rowsOf('twice')).toEqual(before);
});

test('a key of a unit imports into it alone, with ids that nobody guesses', async () => {
  const tenantId = 'units';
  const client = await clientOf(tenantId, { scope: { tenantId, tenantUnitId: 'sales' } });
  const [id, other] = ['0199c8a0-0000-7000-8000-000000000001', '0199c8a0-0000-7000-8000-000000000002'];
  const call = (one: Conversation) =>
    client.conversations.import.mutate({ scope: { tenantId }, conversations: [one] });
  await expect(call(conversation(id, [], { tenantUnitId: 'hr' }))).rejects.toMatchObject(
    refused(403, ['conversations', 0, 'tenantUnitId'], 'This unit is outside of the scope of the import.'),
  );
  await expect(call(conversation('c-1'))).rejects.toMatchObject(refused(403, ['conversations', 0, 'id']));
  await expect(call(conversation(id, [message('m-1')]))).rejects.toMatchObject(
    refused(403, ['conversations', 0, 'messages', 0, 'id']),
  );
  expect(await call(conversation(id, [message(other)]))).toEqual({ conversations: 1, messages: 1 });
});

test('messages without a number get the next ones, and those of later messages follow all others', async () => {
  await importInto('numbers', [conversation('n', [message('n-1', { sequence: null }), message('n-2')])]);
  const { messages } = await rowsOf('numbers');
  expect(messages.map(({ id, sequence }) => [id, sequence])).toEqual([
    ['n-1', 1],
    ['n-2', 2],
  ]);
});

test('labels are found by their names, and created where the key may', async () => {
  const tenantId = 'labelled';
  const admin = await clientOf(tenantId);
  const vip = await admin.labels.create.mutate({ scope: { tenantId }, name: 'VIP', color: '#111111' });
  const labels = [
    { name: 'VIP', color: '#222222' },
    { name: 'Refund', color: '#333333' },
  ];
  const id = (last: number) => `0199c8a0-0000-7000-8000-00000000001${last}`;
  const unitKey = await clientOf(tenantId, { scope: { tenantId, tenantUnitId: 'sales' } });
  const ofUnit = (...conversations: Conversation[]) =>
    unitKey.conversations.import.mutate({ scope: { tenantId }, conversations });
  await expect(
    ofUnit(conversation(id(1), [], { labels: labels.slice(0, 1) }), conversation(id(2), [], { labels })),
  ).rejects.toMatchObject(
    refused(
      422,
      ['conversations', 1, 'labels', 1, 'name'],
      'The tenant has no label of this name, and an API key for some units may not create one.',
    ),
  );
  const list = async () =>
    (await admin.labels.list.query({ scope: { tenantId } })).map(({ name, color }) => ({ name, color }));
  expect(await list()).toEqual([{ name: 'VIP', color: '#111111' }]);
  expect((await rowsOf(tenantId)).conversations).toEqual([]);

  expect(await importInto(tenantId, [conversation(id(2), [], { labels })])).toMatchObject({
    conversations: 1,
  });
  expect(await list()).toEqual([
    { name: 'Refund', color: '#333333' },
    { name: 'VIP', color: '#111111' },
  ]);
  await ofUnit(conversation(id(1), [], { labels }));
  const withVip = await admin.conversations.list.query({ scope: { tenantId }, labels: [vip.id] });
  expect(withVip.items.map((item) => item.id)).toEqual([id(2), id(1)]);

  // A conversation that is there keeps its labels, so a repeated import brings no deleted one back.
  await admin.labels.delete.mutate({ scope: { tenantId }, labelId: vip.id });
  expect(await ofUnit(conversation(id(1), [], { labels }))).toEqual({ conversations: 0, messages: 0 });
  expect(await list()).toEqual([{ name: 'Refund', color: '#333333' }]);
});

test('times of conversations are in milliseconds, and exports of a label have all of one millisecond', async () => {
  const tenantId = 'close';
  const many = Array.from({ length: 45 }, (_, place) =>
    conversation(`k-${String(99 - place)}`, [], {
      createdTime: `2026-03-01T10:00:00.0000${10 + place}Z`,
      labels: [{ name: 'close', color: '#000000' }],
    }),
  );
  await importInto(tenantId, many);
  const [label] = await (await clientOf(tenantId)).labels.list.query({ scope: { tenantId } });
  const found = parse(await download(tenantId, { labels: [label?.id] }));
  const createdTime = '2026-03-01T10:00:00.000000Z';
  const ids = many.map(({ id }) => id).sort();
  expect(found.map(({ id, createdTime: time }) => ({ id, createdTime: time }))).toEqual(
    ids.map((id) => ({ id, createdTime })),
  );
  expect(await importInto(tenantId, many)).toEqual({ conversations: 0, messages: 0 });
});

test('reviews are stored once, and a conversation has at most 100', async () => {
  const review = (id: string, verdict: 'good' | 'bad' = 'good') => ({ id, verdict, reviewedTime: TIME });
  const judged = (...ids: string[]) => conversation('j-1', [], { reviews: ids.map((id) => review(id)) });
  await importInto('judged', [judged('r-1'), conversation('j-2', [], { reviews: [review('r-2')] })]);
  await importInto('judged', [judged('r-1', 'r-3')]);
  const before = await rowsOf('judged');
  expect(before.reviews.map((row) => [row.id, row.conversationId])).toEqual([
    ['r-1', 'j-1'],
    ['r-2', 'j-2'],
    ['r-3', 'j-1'],
  ]);
  const message = 'Another review of this tenant has this id.';
  const path = ['conversations', 0, 'reviews', 1, 'id'];
  await expect(importInto('judged', [judged('r-4', 'r-2')])).rejects.toMatchObject(
    refused(409, path, message),
  );
  const changed = conversation('j-1', [], { reviews: [review('r-4'), review('r-1', 'bad')] });
  await expect(importInto('judged', [changed])).rejects.toMatchObject(refused(409, path, message));
  const more = judged(...Array.from({ length: 99 }, (_, place) => `more-${place}`));
  const full = 'A conversation has at most 100 reviews.';
  await expect(importInto('judged', [more])).rejects.toMatchObject(
    refused(409, ['conversations', 0, 'reviews'], full),
  );
  expect(await rowsOf('judged')).toEqual(before);
  more.reviews?.pop();
  await importInto('judged', [more]);
  const { conversations } = await clientOf('judged');
  await expect(
    conversations.review.mutate({ scope: { tenantId: 'judged' }, conversationId: 'j-1', verdict: 'good' }),
  ).rejects.toMatchObject(refused(409, ['conversationId'], full));
  expect(parse(await download('judged')).map(({ reviews }) => reviews?.length)).toEqual([100, 1]);
  const { items } = await (await clientOf('judged')).audit.list.query({
    scope: { tenantId: 'judged' },
    pageSize: 100,
  });
  const verdicts = items.flatMap(({ subjectId, after }) =>
    after && 'verdicts' in after ? [[subjectId, after.verdicts]] : [],
  );
  expect(verdicts.slice(1)).toEqual([
    ['j-1', ['good']],
    ['j-2', ['good']],
    ['j-1', ['good']],
  ]);
});

/** More than the buffers of connections, in many parts. */
async function fillLarge(tenantId: string): Promise<void> {
  for (let part = 0; part < 30; part++) {
    const messages = Array.from({ length: 2 }, (_, place) =>
      message(`${part}-${place}`, {
        content: String.fromCharCode(65 + (part % 26)).repeat(1_000_000),
        sequence: 0,
      }),
    );
    await importInto(tenantId, [conversation(`l-${part % 3}`, messages)]);
  }
}

/** Counts the parts of exports that the server reads from now on. */
function countParts(): () => number {
  const { transfers } = app.app.services;
  const { exportPage } = transfers;
  let count = 0;
  transfers.exportPage = (input) => {
    count += 1;
    return exportPage(input);
  };
  onTestFinished(() => void Object.assign(transfers, { exportPage }));
  return () => count;
}

test('a slow reader gets all of a long export, of which the server holds one part', async () => {
  await fillLarge('large');
  const { hostname, port } = new URL(app.address);
  const input = encodeURIComponent(JSON.stringify({ scope: { tenantId: 'large' } }));
  const key = await keyOf('large');
  const connect = async () => {
    const socket = net.connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.write(`GET /exports/conversations?input=${input} HTTP/1.0\r\nX-Api-Key: ${key}\r\n\r\n`);
    await once(socket, 'readable');
    return socket;
  };
  const whole = await download('large');
  expect(whole.length).toBeGreaterThan(60_000_000);
  const parts = countParts();
  const waitUntilIdle = async () => {
    const seen: number[] = [];
    await waitFor(() => seen.push(parts()) > 30 && new Set(seen.slice(-30)).size === 1, {
      what: 'an idle server',
    });
    return parts();
  };
  const slow = await connect();
  // Nothing is read any more while the client does not read.
  const atPause = await waitUntilIdle();
  expect(atPause).toBeGreaterThan(0);
  expect(atPause).toBeLessThan(15);
  let text = '';
  for await (const chunk of slow.setEncoding('utf8')) text += chunk;
  expect(text.slice(text.indexOf('\r\n\r\n') + 4)).toBe(whole);
  expect(parts()).toBeGreaterThan(25);

  const leaving = await connect();
  await waitUntilIdle();
  const before = parts();
  leaving.destroy();
  await waitUntilIdle();
  expect(parts() - before).toBeLessThan(2);
});
