/*
 * What a front end writes against the packed types. It is compiled, never run: a type that is not as it says here
 * is an error of the compiler.
 */
import { createTRPCClient, httpBatchLink, type TRPCClientError } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from 'lectern/routers';

type Outputs = inferRouterOutputs<AppRouter>;
type Inputs = inferRouterInputs<AppRouter>;

/** Fails to compile unless both are the same. */
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function assert<_T extends true>(): void;

type IsAny<T> = 0 extends 1 & T ? true : false;
type IsOpen<T> = IsAny<T> extends true ? true : unknown extends T ? true : false;
type Primitive = string | number | boolean | bigint | symbol | null | undefined;

/** The names of the fields, at any depth, whose type says nothing. */
type OpenFields<T, Name> =
  IsOpen<T> extends true
    ? Name
    : T extends Primitive
      ? never
      : T extends readonly (infer Item)[]
        ? OpenFields<Item, Name>
        : T extends AsyncIterable<infer Item>
          ? OpenFields<Item, Name>
          : { [K in keyof T]-?: OpenFields<T[K], string extends K ? Name : K> }[keyof T];

type OpenFieldsOf<Areas> = {
  [A in keyof Areas]: { [P in keyof Areas[A]]: OpenFields<Areas[A][P], [A, P]> }[keyof Areas[A]];
}[keyof Areas];

// Free-form JSON of callers and of the agent runtime, what the audit trail keeps, and settings of the search server.
type FreeJson = 'inputs' | 'extendProperties' | 'customProperties' | 'metadata' | 'payload';
assert<Equal<OpenFieldsOf<Outputs>, FreeJson | 'before' | 'after' | 'wanted' | 'found'>>();

type RunStatus =
  | 'submitted'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'stopped'
  | 'canceled'
  | 'input-required'
  | 'partial-succeeded'
  | 'review-requested'
  | 'reviewed'
  | 'unknown';
type Stage = 'fetching' | 'parsing' | 'extracting' | 'splitting' | 'storing';
type DocumentType = 'UnstructuredFile' | 'StructuredFile' | 'UnstructuredWebpage' | 'StructuredWebpage';
type Status = 'created' | 'processing' | 'ready' | 'failed';
type EventType =
  | `document.${'created' | 'ready' | 'failed' | 'deleted'}`
  | `conversation.${'created' | 'status_changed' | 'idle' | 'deleted'}`
  | 'message.created';
type Engine = 'postgres' | 'meilisearch';
type Permission =
  | `${'conversations' | 'documents' | 'chunks'}:${'read' | 'write'}`
  | 'messages:write'
  | `retention:${'read' | 'write'}`
  | 'users:erase'
  | `members:${'read' | 'write'}`
  | 'search'
  | 'keys:admin'
  | 'operations';

type Conversation = Outputs['conversations']['get'];
assert<Equal<Conversation['status'], RunStatus | null>>();
assert<Equal<Outputs['conversations']['list']['items'][number]['status'], RunStatus | null>>();
assert<Equal<Inputs['conversations']['setStatus']['status'], RunStatus | null>>();
assert<Equal<Conversation['createdTime'], string>>();
assert<Equal<Inputs['messages']['setFeedback']['feedback'], 'up' | 'down' | null>>();
type Verdict = Outputs['conversations']['reviews']['items'][number]['verdict'];
assert<Equal<Verdict, 'good' | 'mixed' | 'bad' | 'unknown'>>();

type Document = Outputs['documents']['get'];
assert<Equal<Document['status'], Status | 'unknown'>>();
assert<Equal<Document['documentType'], DocumentType | 'unknown'>>();
assert<Equal<Document['storageType'], 's3' | 'gcs' | 'unknown' | null>>();
assert<Equal<Document['extraction'], 'own' | 'engine' | 'auto' | 'unknown'>>();
assert<Equal<Inputs['documents']['update']['extraction'], 'own' | 'engine' | 'auto' | undefined>>();
assert<Equal<Document['stage'], Stage | 'unknown' | null>>();
assert<Equal<NonNullable<Document['error']>['stage'], Stage | 'waiting' | 'unknown'>>();
assert<Equal<Outputs['documents']['list']['items'][number]['status'], Status | 'unknown'>>();

assert<Equal<Outputs['chunks']['list']['items'][number]['status'], 'active' | 'inactive' | 'unknown'>>();
assert<Equal<Outputs['chunks']['search'][number]['documentType'], DocumentType>>();
assert<Equal<Inputs['chunks']['list']['statuses'], ('active' | 'inactive')[] | undefined>>();
type NoSource = Outputs['documents']['sourceText']['unavailable'];
assert<Equal<NoSource, 'not_kept' | 'being_read' | 'too_large' | 'unreadable' | null>>();
assert<Equal<Inputs['chunks']['setStatus']['status'], 'active' | 'inactive'>>();

assert<Equal<Outputs['webhooks']['get']['eventTypes'][number], EventType>>();
type Delivery = Outputs['webhooks']['deliveries']['items'][number];
assert<Equal<Delivery['eventType'], EventType | 'webhook.test' | 'unknown'>>();
assert<Equal<Delivery['state'], 'pending' | 'delivered' | 'failed'>>();
assert<Equal<Outputs['apiKeys']['list']['items'][number]['status'], 'active' | 'expired' | 'revoked'>>();
assert<Equal<Outputs['apiKeys']['list']['items'][number]['scopes'], Permission[]>>();
assert<Equal<Inputs['apiKeys']['list']['expiry'], 'soon' | 'past' | undefined>>();
assert<Equal<Inputs['apiKeys']['create']['scopes'], Permission[]>>();
assert<
  Equal<Outputs['documents']['createMany']['skipped'][number]['reason'], 'duplicate' | 'exists' | 'invalid'>
>();
assert<
  Equal<
    Outputs['audit']['list']['items'][number]['subjectType'],
    | 'conversation'
    | 'label'
    | 'document'
    | 'chunk'
    | 'file'
    | 'apiKey'
    | 'webhook'
    | 'evaluation'
    | 'synonyms'
    | 'searchIndex'
    | 'retentionRule'
    | 'user'
    | 'member'
    | 'unknown'
  >
>();
assert<Equal<Outputs['search']['status']['engine'], Engine>>();
assert<Equal<keyof NonNullable<Outputs['overview']['get']['documents']>, Status>>();
assert<Equal<keyof NonNullable<Outputs['overview']['get']['conversations']>, RunStatus | 'none'>>();
assert<
  Equal<
    Outputs['overview']['queue']['next'][number]['lane'],
    'tiny' | 'small' | 'large' | 'suspect' | 'extraction' | 'unknown'
  >
>();
assert<Equal<Outputs['overview']['limits']['rates'][number]['unit'], 'requests' | 'content-bytes'>>();
type Role = 'viewer' | 'editor' | 'reviewer' | 'admin' | 'operator';
assert<Equal<Outputs['members']['get']['role'], Role | 'unknown' | null>>();
assert<Equal<Inputs['members']['setRole']['role'], Role | null>>();
assert<Equal<Outputs['members']['roles'][number], { role: Role; permissions: Permission[] }>>();
type Session = Outputs['session']['get'];
assert<Equal<Session, Outputs['session']['create']>>();
assert<Equal<Session['mode'], 'open' | 'required'>>();
assert<Equal<NonNullable<Session['key']>['scopes'], Permission[]>>();
assert<Equal<Session['server']['search']['mode'], 'lexical' | 'semantic' | 'hybrid'>>();
type SearchIndex = NonNullable<Outputs['search']['status']['index']>;
assert<Equal<SearchIndex['state'], 'complete' | 'filling' | 'incomplete' | 'missing' | 'unknown'>>();
assert<Equal<NonNullable<SearchIndex['rebuild']>['phase'], 'copying' | 'finishing' | 'unknown'>>();
assert<Equal<NonNullable<Inputs['chunks']['search']['language']>, 'english' | 'chinese'>>();
assert<Equal<NonNullable<Inputs['conversations']['list']['order']>, 'recent' | 'oldest'>>();

const client = createTRPCClient<AppRouter>({ links: [httpBatchLink({ url: 'http://127.0.0.1:8080/trpc' })] });

/** The walk of the guide. */
export async function walk(file: File): Promise<string[]> {
  const scope = { tenantId: 'acme', tenantUnitId: 'legal' };
  const { fileId } = await client.files.upload.mutate(file);
  const document = await client.documents.create.mutate({
    scope,
    documentType: 'UnstructuredFile',
    datasetIds: ['contracts'],
    file: { fileId, fileName: file.name },
  });
  client.documents.progress.subscribe(
    { scope, documentIds: [document.id] },
    {
      onData(progress) {
        assert<Equal<(typeof progress)['status'], Status | 'deleted' | 'unknown'>>();
      },
    },
  );
  // @ts-expect-error no such status
  await client.conversations.setStatus.mutate({ conversationId: document.id, status: 'asleep' });
  // @ts-expect-error no such field
  document.statuses;
  const hits = await client.chunks.search.query({ scope, datasetIds: ['contracts'], query: 'deposit' });
  return hits.map(({ content }) => content);
}

type ErrorDetail = NonNullable<TRPCClientError<AppRouter>['data']>['detail'][number];
assert<Equal<ErrorDetail, { type: string; loc: (string | number)[]; msg: string }>>();

/** What is wrong with a call, in words for people. */
export const explain = (error: TRPCClientError<AppRouter>): string[] | undefined =>
  error.data?.detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
