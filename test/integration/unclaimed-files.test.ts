import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { sweepFiles } from '../../src/services/files/sweep-files.js';
import { readUsage } from '../../src/services/shared/tenant-usage.js';
import { createLocalDisk } from '../../src/storage/local-disk.js';
import { useApp } from '../support/app.js';
import { drain } from '../support/drain.js';
import { DOCUMENTS, type TestApp, UUID } from './support/rest-client.js';

/* What a file is between its receipt and the document that claims it: its tenant's, and counted as such. */

const quotas = { documents: undefined, chunks: undefined, bytes: 1_000 };
const guarded = useApp({ authMode: 'required', quotas });
const open = useApp({ quotas });
const documentType = 'UnstructuredFile' as const;

const blob = (length: number) => new Blob(['x'.repeat(length)]);
const callerOf = async (tenantId: string, app: TestApp = guarded) =>
  app.trpc({ 'x-api-key': (await app.makeKey({ scope: { tenantId } })).key });
const newTenant = () => `tenant-${randomUUID()}`;
const placeIn = (tenantId: string) => ({ tenantId, tenantUnitId: 'sales' });
type Caller = ReturnType<TestApp['trpc']>;

const claim = (caller: Caller, tenantId: string, fileId: string) =>
  caller.documents.create.mutate({ scope: placeIn(tenantId), documentType, file: { fileId } });
const inline = (caller: Caller, tenantId: string, length: number) =>
  caller.documents.create.mutate({
    scope: placeIn(tenantId),
    documentType,
    documentContent: 'x'.repeat(length),
  });

/** Everything that an answer tells, but for the id that was asked for. */
const told = async (call: Promise<unknown>, fileId: string) =>
  JSON.parse(
    JSON.stringify(
      await call.then(
        (answer) => ({ answer }),
        ({ message, shape, data }) => ({ message, shape, data }),
      ),
    ).replaceAll(fileId, '<file>'),
  );

async function storedFiles({ dataDir }: TestApp): Promise<string[]> {
  const files = await readdir(path.join(dataDir, 'files'), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  return files.filter((file) => file.isFile()).map(({ name }) => name);
}

const storedBytes = async (tenantId: string, { db }: TestApp = guarded) =>
  (await readUsage(db, tenantId)).bytes;

const QUOTA = {
  type: 'quota_exceeded.bytes',
  loc: [],
  msg: 'This tenant may have 1000 stored bytes, and no more. Delete documents that are no longer needed, or have the quota raised.',
};
const overQuota = { data: { httpStatus: 409, detail: [QUOTA] } };

test("an uploaded file does not exist for another tenant's key", async () => {
  const [ours, theirs] = [newTenant(), newTenant()];
  const [us, them] = [await callerOf(ours), await callerOf(theirs)];
  const { fileId } = await us.files.upload.mutate(blob(10) as never);
  const unknown = randomUUID();
  const stored = await storedFiles(guarded);

  expect(await told(claim(them, theirs, fileId), fileId)).toEqual(
    await told(claim(them, theirs, unknown), unknown),
  );
  expect(await told(them.files.discard.mutate({ fileId }), fileId)).toEqual(
    await told(them.files.discard.mutate({ fileId: unknown }), unknown),
  );
  expect(await storedFiles(guarded)).toEqual(stored);
  expect(await storedBytes(theirs)).toBe(0);

  await expect(claim(them, theirs, fileId)).rejects.toMatchObject({
    data: {
      httpStatus: 422,
      detail: [{ type: 'value_error.unknown_file', loc: ['file', 'fileId'] }],
    },
  });
  expect(await claim(us, ours, fileId)).toMatchObject({ id: UUID, tenantId: ours });
});

test('files uploaded without a key cannot be claimed with a key', async () => {
  const tenantId = newTenant();
  const caller = await callerOf(tenantId);
  const { fileId } = await guarded.app.services.files.upload(
    (async function* () {
      yield Buffer.from('Nobody has sent this.');
    })(),
    { actor: { userId: undefined }, tenantId: undefined },
  );
  await expect(claim(caller, tenantId, fileId)).rejects.toMatchObject({ data: { httpStatus: 422 } });
  const stored = await storedFiles(guarded);
  await caller.files.discard.mutate({ fileId });
  expect(await storedFiles(guarded)).toEqual(stored);
});

test('what waits to be claimed counts as stored, moves with its claim, and goes with its discarding', async () => {
  const tenantId = newTenant();
  const caller = await callerOf(tenantId);
  const first = await caller.files.upload.mutate(blob(600) as never);
  expect(await storedBytes(tenantId)).toBe(600);

  const stored = await storedFiles(guarded);
  await expect(caller.files.upload.mutate(blob(401) as never)).rejects.toMatchObject(overQuota);
  expect(await storedFiles(guarded)).toEqual(stored);
  await expect(inline(caller, tenantId, 401)).rejects.toMatchObject(overQuota);
  const other = newTenant();
  await (await callerOf(other)).files.upload.mutate(blob(401) as never);

  const { id: documentId } = await claim(caller, tenantId, first.fileId);
  expect(await storedBytes(tenantId)).toBe(600);
  const second = await caller.files.upload.mutate(blob(400) as never);
  expect(await storedBytes(tenantId)).toBe(1_000);
  await caller.files.discard.mutate({ fileId: second.fileId });
  expect(await storedBytes(tenantId)).toBe(600);
  await caller.documents.delete.mutate({ scope: { tenantId }, documentId });
  expect(await storedBytes(tenantId)).toBe(0);
});

test('sweeping unclaimed files frees quota', async () => {
  const tenantId = newTenant();
  const caller = await callerOf(tenantId);
  await caller.files.upload.mutate(blob(900) as never);
  await expect(inline(caller, tenantId, 200)).rejects.toMatchObject(overQuota);
  const tomorrow = new Date(Date.now() + 25 * 3_600_000);
  const storage = createLocalDisk(path.join(guarded.dataDir, 'files'));
  await drain(sweepFiles({ db: guarded.db, storage, clock: () => tomorrow }));
  expect(await storedBytes(tenantId)).toBe(0);
  await inline(caller, tenantId, 200);
});

test('uploads that come at once stay within the quota together, and leave nothing of what was refused', async () => {
  const tenantId = newTenant();
  const caller = await callerOf(tenantId);
  const before = await storedFiles(guarded);
  const all = await Promise.allSettled(
    Array.from({ length: 8 }, () => caller.files.upload.mutate(blob(300) as never)),
  );
  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  for (const one of all) if (one.status === 'rejected') expect(one.reason).toMatchObject(overQuota);
  expect(await storedFiles(guarded)).toHaveLength(before.length + 3);
  expect(await storedBytes(tenantId)).toBe(900);
});

test('aborts an upload that exceeds the quota', async () => {
  const tenantId = newTenant();
  let given = 0;
  const endless = async function* () {
    for (; given < 100_000; given += 100) yield Buffer.alloc(100);
  };
  await expect(
    guarded.app.services.files.upload(endless(), { actor: { userId: undefined, keyId: 'some' }, tenantId }),
  ).rejects.toMatchObject({ code: 'conflict', type: 'quota_exceeded.bytes' });
  expect(given).toBeLessThan(2_000);
});

test('a form is counted alike: refused beyond the quota, and answered again without being counted twice', async () => {
  const tenantId = newTenant();
  const { key } = await guarded.makeKey({ scope: { tenantId } });
  const upload = (text: string, headers: Record<string, string> = {}) => {
    const body = new FormData();
    const fields = { ...placeIn(tenantId), documentType, datasetIds: 'faq' };
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.set('file', new File([text], 'notes.txt'));
    return guarded.request('POST', `${DOCUMENTS}/upload`, {
      body,
      headers: { 'x-api-key': key, ...headers },
    });
  };
  const once = { 'idempotency-key': randomUUID() };
  const first = await upload('y'.repeat(600), once);
  expect(first.status).toBe(200);
  const stored = await storedFiles(guarded);
  expect(await upload('z'.repeat(401))).toMatchObject({ status: 409, body: { detail: [QUOTA] } });
  const again = { 'idempotency-key': randomUUID() };
  expect(await upload('z'.repeat(401), again)).toMatchObject({ status: 409, body: { detail: [QUOTA] } });
  expect(await upload('y'.repeat(600), once)).toMatchObject({ status: 200, body: first.body });
  expect(await storedFiles(guarded)).toEqual(stored);
  expect(await storedBytes(tenantId)).toBe(600);
});

test('limits unclaimed files per tenant', async () => {
  const tenantId = newTenant();
  const caller = await callerOf(tenantId);
  await sql`
    insert into uploads (id, tenant_id, file_key, size_bytes, sha256, created_time)
    select 'tiny ' || n || ${tenantId}, ${tenantId}, 'tiny ' || n, 0, '', now() from generate_series(1, 9999) as n
  `.execute(guarded.db);
  const { fileId } = await caller.files.upload.mutate(blob(1) as never);
  const stored = await storedFiles(guarded);
  await expect(caller.files.upload.mutate(blob(1) as never)).rejects.toMatchObject({
    data: {
      httpStatus: 409,
      detail: [
        {
          type: 'quota_exceeded.unclaimed_files',
          loc: [],
          msg: 'At most 10000 received files may wait for their documents; create those, or discard files that are not needed.',
        },
      ],
    },
  });
  expect(await storedFiles(guarded)).toEqual(stored);
  await caller.files.discard.mutate({ fileId });
  await caller.files.upload.mutate(blob(1) as never);
  await sql`delete from uploads where tenant_id = ${tenantId}`.execute(guarded.db);
});

test("without keys a received file is nobody's, whichever tenant claims it, and counts as one more tenant's", async () => {
  const caller = open.trpc();
  const [tenantId, other] = [newTenant(), newTenant()];
  const file = await caller.files.upload.mutate(blob(600) as never);
  const stored = await storedFiles(open);
  await expect(caller.files.upload.mutate(blob(500) as never)).rejects.toMatchObject(overQuota);
  expect(await storedFiles(open)).toEqual(stored);
  await claim(caller, tenantId, file.fileId);
  expect([await storedBytes('', open), await storedBytes(tenantId, open)]).toEqual([0, 600]);

  const second = await caller.files.upload.mutate(blob(500) as never);
  await expect(claim(caller, tenantId, second.fileId)).rejects.toMatchObject(overQuota);
  expect([await storedBytes('', open), await storedBytes(tenantId, open)]).toEqual([500, 600]);
  await claim(caller, other, second.fileId);
  await expect(claim(caller, other, second.fileId)).rejects.toMatchObject({ data: { httpStatus: 422 } });

  const third = await caller.files.upload.mutate(blob(700) as never);
  await caller.files.discard.mutate({ fileId: third.fileId });
  expect(await storedBytes('', open)).toBe(0);
});
