import { type Selectable, sql } from 'kysely';
import type { Database, DocumentSourceTable, DocumentTable, Queryable } from '../../db/schema.js';
import { tenantTransaction } from '../../db/tenant-isolation/tenant-transaction.js';
import {
  documentListChanges,
  type ListedDocument,
  listedDocumentColumns,
} from '../derived-data/list-changes.js';
import { writeCounts } from '../derived-data/write-counts.js';
import { documentEventColumns, emitEvents, toDocumentEvent } from '../webhook-delivery/events.js';
import { type ChunkingResult, toChunkingTask } from './chunking/chunking-task.js';
import { type NewChunks, storeNewChunks } from './chunking/store-new-chunks.js';
import { quotaExceededError } from './ingestion-error.js';
import type { ClaimedJob } from './jobs/claim-job.js';
import { logReady } from './log-ready.js';
import { type ProcessDependencies, READY } from './process-document.js';
import { readSource } from './sources/read-source.js';
import { logWarnings } from './warnings/log-warnings.js';

/** Characters of the JSON of one document's chunks. */
const MAX_DRAFTS_LENGTH = 256 * 1024;

type Document = Selectable<DocumentTable> & Selectable<DocumentSourceTable>;

interface Drafted {
  job: ClaimedJob;
  document: Document;
  result: ChunkingResult;
  batches: string[];
}

export type ProcessTogether = ReturnType<typeof createProcessTogether>;

/**
 * Turns tiny documents of one tenant that have no chunks yet into chunks, and stores all of them and that their jobs are
 * done in one transaction: most of what a tiny document costs is statements.
 */
export function createProcessTogether(dependencies: ProcessDependencies) {
  const { db, sandbox, extraction, sourceOptions, chunking, maxFile, isWithinQuota, clock, log } =
    dependencies;
  const { countDocuments = () => {} } = dependencies;

  /** @returns jobs that are left: not new, failed or changed meanwhile; nothing was written of their documents */
  return async function processTogether(
    jobs: ClaimedJob[],
    { signal }: { signal: AbortSignal },
  ): Promise<ClaimedJob[]> {
    try {
      const documents = await readNewDocuments(db, jobs);
      const drafted = await Promise.all(
        jobs.map((job) => {
          const document = documents.get(job.documentId);
          return document && draft(job, document, signal).catch(() => undefined);
        }),
      );
      const stored = await store(drafted.filter((one) => one !== undefined));
      return jobs.filter(({ documentId }) => !stored.has(documentId));
    } catch (error) {
      log.debug({ err: error }, 'documents could not be processed together; processing each on its own');
      return jobs;
    }
  };

  async function draft(job: ClaimedJob, document: Document, signal: AbortSignal): Promise<Drafted> {
    const source =
      document.source === 'content'
        ? inlineSource(document)
        : await readSource(document, { ...sourceOptions, signal });
    if ('notModified' in source) throw new Error('A file in storage has no validators.');
    try {
      const batches: string[] = [];
      let length = 0;
      const task = toChunkingTask(document, source, { chunking, maxFile });
      const scope = extraction?.scopeOf(document.extraction);
      const step = scope && ({ step: 'ask', scope } as const);
      const result = await sandbox.runStep(
        { ...task, extraction: step },
        {
          signal,
          tenantId: job.tenantId,
          onProgress: () => {},
          onBatch: async (batch) => {
            length += batch.length;
            if (length > MAX_DRAFTS_LENGTH)
              throw new Error('These are too many chunks to be stored together.');
            batches.push(batch);
          },
        },
      );
      if ('extraction' in result) throw new Error('An extraction engine has to read this file.');
      if (result.chunkCount > maxFile.chunks)
        throw new Error('These are more chunks than a document may have.');
      return { job, document, result, batches };
    } finally {
      await source.dispose();
    }
  }

  /** @returns the ids of the documents that were unchanged until now */
  async function store(drafted: Drafted[]): Promise<ReadonlyMap<string, unknown>> {
    const tenantId = drafted[0]?.job.tenantId;
    if (tenantId === undefined) return new Map();
    const stored = await tenantTransaction(db, tenantId, async (tx) => {
      const unchanged = await lockUnchanged(tx, tenantId, drafted);
      const ready = drafted.filter(({ document }) => unchanged.has(document.id));
      if (ready.length === 0) return unchanged;
      const chunks = ready.map(({ document: { id }, batches }): NewChunks => ({ id, batches }));
      const now = clock();
      const added = await storeNewChunks(tx, tenantId, chunks, now);
      const before = ready.flatMap(({ document: { id } }) => unchanged.get(id) ?? []);
      await writeCounts(tx, {
        usage: [{ tenantId, chunks: added }],
        lists: documentListChanges({ before, after: before.map((row) => ({ ...row, status: 'ready' })) }),
      });
      if (!(await isWithinQuota(tx, tenantId))) throw quotaExceededError();
      await markReady(tx, tenantId, ready, now);
      return unchanged;
    });
    const ready = drafted.filter(({ document }) => stored.has(document.id));
    for (const { document, result } of ready) {
      const done = { chunks: result.chunkCount, type: result.subType };
      countDocuments(tenantId, { ready: 1, ...done });
      logReady(log, document, done);
      logWarnings(log, document, result.warnings);
    }
    return stored;
  }
}

/** Goes to the sandbox without a file. */
const inlineSource = ({ content, documentName }: Document) => {
  const text = content ?? '';
  const fileName = documentName ?? undefined;
  return { path: '', text, size: Buffer.byteLength(text), fileName, dispose: async () => {} };
};

/** Documents that have no chunks, by id. */
async function readNewDocuments(db: Database, jobs: ClaimedJob[]): Promise<Map<string, Document>> {
  const tenantId = jobs[0]?.tenantId ?? '';
  const ids = jobs
    .filter(({ attempts, outages, deaths }) => attempts + outages + deaths === 0)
    .map(({ documentId }) => documentId);
  const rows = await db
    .selectFrom('documents as d')
    .innerJoin('documentSources as s', (join) =>
      join.onRef('s.tenantId', '=', 'd.tenantId').onRef('s.documentId', '=', 'd.id'),
    )
    .selectAll('s')
    .selectAll('d')
    .where('d.tenantId', '=', tenantId)
    .where('d.id', 'in', ids)
    .where('d.status', '=', 'created')
    .where('d.source', 'in', ['content', 'file'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('chunks as c')
            .whereRef('c.tenantId', '=', 'd.tenantId')
            .whereRef('c.documentId', '=', 'd.id')
            .where('c.tenantId', '=', tenantId),
        ),
      ),
    )
    .execute();
  return new Map(rows.map((row) => [row.id, row as Document]));
}

/**
 * Locks those of the documents that are as they were read, and then deletes their jobs, in the order of all that lock both.
 *
 * @returns documents whose jobs were still held
 */
async function lockUnchanged(
  tx: Queryable,
  tenantId: string,
  drafted: Drafted[],
): Promise<Map<string, ListedDocument>> {
  const documents = drafted.map(({ document: { id, revision, attempts } }) => ({ id, revision, attempts }));
  const { rows: unchanged } = await sql<ListedDocument & { id: string }>`
    select d.id, ${sql.join(listedDocumentColumns.map((column) => sql.ref(`d.${column}`)))}
    from json_to_recordset(${JSON.stringify(documents)}::json) as given (id text, revision bigint, attempts int)
    join documents as d on d.tenant_id = ${tenantId} and d.id = given.id
      and d.revision = given.revision and d.attempts = given.attempts and d.status = 'created'
    order by d.id
    for update of d
  `.execute(tx);
  const byId = new Map(unchanged.map((row) => [row.id, row]));
  const jobs = drafted
    .filter(({ document }) => byId.has(document.id))
    .map(({ job }) => ({ id: job.documentId, sequence: job.sequence, lease_owner: job.leaseOwner }));
  const { rows } = await sql<{ id: string }>`
    delete from processing_jobs as j
    using json_to_recordset(${JSON.stringify(jobs)}::json) as given (id text, sequence bigint, lease_owner text)
    where j.tenant_id = ${tenantId} and j.document_id = given.id
      and j.sequence = given.sequence and j.lease_owner = given.lease_owner
    returning j.document_id as id
  `.execute(tx);
  const ended = new Set(rows.map(({ id }) => id));
  return new Map([...byId].filter(([id]) => ended.has(id)));
}

async function markReady(tx: Queryable, tenantId: string, drafted: Drafted[], now: Date): Promise<void> {
  const outcomes = drafted.map(({ document, result }) => ({
    id: document.id,
    chunk_count: result.chunkCount,
    sub_type: result.subType,
    warnings: result.warnings,
  }));
  const traceparents = new Map(drafted.map(({ job, document }) => [document.id, job.traceparent]));
  const rows = await tx
    .updateTable('documents as d')
    .from(
      sql<{
        id: string;
        chunkCount: number;
        subType: string;
        warnings: string;
      }>`json_to_recordset(${JSON.stringify(outcomes)}::json)`.as<'given'>(
        sql`given (id text, chunk_count int, sub_type text, warnings jsonb)`,
      ),
    )
    .set((eb) => ({
      ...READY,
      error: null,
      processedTime: now,
      attempts: eb('d.attempts', '+', 1),
      chunkCount: eb.ref('given.chunkCount'),
      sniffedSubType: eb.ref('given.subType'),
      warnings: eb.ref('given.warnings'),
    }))
    .where('d.tenantId', '=', tenantId)
    .whereRef('d.id', '=', 'given.id')
    .returning(documentEventColumns.map((column) => `d.${column}` as const))
    .execute();
  await emitEvents(
    tx,
    tenantId,
    rows.map((row) => ({
      ...toDocumentEvent('document.ready', row),
      traceparent: traceparents.get(row.id) ?? null,
    })),
  );
}
