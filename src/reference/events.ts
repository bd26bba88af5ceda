import { z } from 'zod';
import { type EventType, eventSchemas } from '../webhook-delivery/event-schemas.js';
import { testEventType } from '../webhook-delivery/events.js';
import {
  DELAYS,
  FAILURES_BEFORE_PAUSE,
  OVERLOADED,
  PROBE_INTERVAL_MS,
} from '../webhook-delivery/retry-policy.js';
import { DELIVERY_TIMEOUT_MS, headersOf } from '../webhook-delivery/send.js';
import { fieldsOf, type JsonSchema, typeOf } from './json-schema.js';
import { code, codeBlock, formatPage, section, table, wrap } from './markdown.js';

const INTRODUCTION =
  'Lectern sends these events to webhooks in the format of [Standard Webhooks](https://www.standardwebhooks.com): a POST with a JSON body of `type`, `timestamp` and `data`, and headers with an id and signatures. Events contain ids, names, states and errors, never content.';
const SIGNATURE =
  'To verify a request, Base64-decode the part of the secret after `whsec_`: this is the key. Compute the HMAC-SHA256 of `id.timestamp.body`, with the body exactly as it arrived. Compare its Base64 form with each signature in `webhook-signature`, without the `v1,`. Refuse timestamps that are more than five minutes off. Several signatures are separated by spaces: after a rotation, both secrets sign for some time.';
const SECRET = `whsec_${Buffer.from('an example of 24 bytes..').toString('base64')}`;
const TIME = '2026-05-04T09:30:00.000Z';
const EVENT_ID = '7d0b3b0e-6a51-4f5c-8a43-0a4c5f1f2b9d';
const SCOPE = { tenantId: 'acme', tenantUnitId: 'support' };

const documentExample = {
  documentId: '0198c7a4-5b1e-7d3a-9c55-2f4de1a6b803',
  externalId: null,
  documentName: 'returns.md',
  status: 'created' as const,
  chunkCount: 0,
};
const conversationExample = {
  conversationId: '0198c7a4-9d20-7c11-8f0e-51b7a2c4d690',
  status: 'running' as const,
};

/** They fit their schemas, which types check. */
const examples: { [T in EventType]: z.output<(typeof eventSchemas)[T]['data']> } = {
  'document.created': documentExample,
  'document.ready': { ...documentExample, status: 'ready', chunkCount: 12 },
  'document.failed': {
    ...documentExample,
    status: 'failed',
    error: {
      code: 'empty_text',
      stage: 'parsing',
      message: 'The file has no text in it; upload one that does.',
    },
  },
  'document.deleted': { ...documentExample, status: 'ready', chunkCount: 12 },
  'conversation.created': conversationExample,
  'conversation.status_changed': { ...conversationExample, from: 'running', status: 'succeeded' },
  'conversation.idle': {
    ...conversationExample,
    status: 'succeeded',
    lastMessageTime: '2026-05-04T09:00:00.000Z',
  },
  'conversation.deleted': { ...conversationExample, status: 'succeeded' },
  'message.created': {
    conversationId: conversationExample.conversationId,
    messages: [
      {
        id: '0198c7a5-02c4-7e0b-b1d7-3c9e8a4f6d21',
        runId: 'run-7',
        messageFrom: 'user',
        status: null,
        sequence: 1,
      },
      {
        id: '0198c7a5-1f6a-7a52-9d3e-6b0c2e8f4a17',
        runId: 'run-7',
        messageFrom: 'agent',
        status: 'done',
        sequence: 2,
      },
    ],
  },
};

const headerMeanings: Record<keyof ReturnType<typeof headersOf>, string> = {
  'content-type': 'The body is JSON.',
  'user-agent': 'The sender.',
  'webhook-id':
    'The id of the event. It is the same for all attempts and replays: store the ids that you have handled, to skip duplicates.',
  'webhook-timestamp': 'The time of the attempt, in seconds since 1970.',
  'webhook-signature': 'A signature for each secret.',
};

/** The page about webhook events, their headers and their delivery. */
export function eventsPage(): string {
  const names = Object.keys(eventSchemas) as EventType[];
  const payload = bodyOf('document.ready');
  const headers = headersOf({ secrets: [SECRET], eventId: EVENT_ID, payload }, Date.parse(TIME) / 1000);
  return formatPage({
    title: 'Webhook events',
    introduction: INTRODUCTION,
    sections: [
      table(
        ['Event', 'When'],
        [
          ...names.map((name) => [`[${code(name)}](#${name.replace('.', '')})`, eventSchemas[name].when]),
          [
            code(testEventType),
            '`webhooks.test` was called. Every webhook can receive it, whatever it subscribes to.',
          ],
        ],
      ),
      '`data` always has `tenantId` and `tenantUnitId`. Later versions can add fields and events: ignore those that you do not know.',
      ...names.map(describe),
      section(
        '## Headers',
        table(
          ['Header', 'Meaning', 'Example'],
          Object.entries(headers).map(([name, value]) => [
            code(name),
            headerMeanings[name as keyof typeof headers],
            code(value),
          ]),
        ),
        'If traces are on, there is also a `traceparent`.',
      ),
      section(
        '## Signature',
        wrap(SIGNATURE),
        `The example above is signed with the secret ${code(SECRET)}, and its body is:`,
        codeBlock(payload, 'json'),
      ),
      section('## Delivery', ...delivery()),
    ],
  });
}

const bodyOf = (name: EventType, indent?: number) =>
  JSON.stringify({ type: name, timestamp: TIME, data: { ...SCOPE, ...examples[name] } }, null, indent);

const describe = (name: EventType): string =>
  section(
    `## ${name}`,
    table(
      ['Field of data', 'Type'],
      fieldsOf(z.toJSONSchema(eventSchemas[name].data) as JsonSchema).map(({ name: field, schema }) => [
        code(field),
        code(typeOf(schema)),
      ]),
    ),
    codeBlock(bodyOf(name, 2), 'json'),
  );

const delivery = () => [
  wrap(
    `A status of 2xx within ${span(DELIVERY_TIMEOUT_MS)} is a success. Otherwise the event is sent again, with some jitter, after ${DELAYS.map(span).join(', ')}. A \`Retry-After\` can delay it further. Redirects are not followed.`,
  ),
  wrap(
    `${[...OVERLOADED].join(', ')} delay all events of the webhook. 410 disables it. ${FAILURES_BEFORE_PAUSE} failures in a row pause it; then Lectern tries once in ${span(PROBE_INTERVAL_MS)}, and a success ends the pause. Delivery is at least once, and events of one document or conversation arrive in order unless one of them fails.`,
  ),
];

const span = (ms: number) =>
  ms < 60_000 ? `${ms / 1000} s` : ms < 3_600_000 ? `${ms / 60_000} min` : `${ms / 3_600_000} h`;
