/*
 * What a program writes against `lectern/client` and `lectern/rest`, as packed. It is compiled, never run: a type that is not
 * as it says here is an error of the compiler.
 */
import { createLectern, type ErrorDetail, readFailure } from 'lectern/client';
import type { components, paths } from 'lectern/rest';

/** Fails to compile unless both are the same. */
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
declare function assert<_T extends true>(): void;

const lectern = createLectern({ url: 'http://127.0.0.1:8080', apiKey: 'secret', retry: { attempts: 3 } });
const scope = { tenantId: 'acme', tenantUnitId: 'legal' };
const document = { scope, documentType: 'UnstructuredFile' as const, datasetIds: ['contracts'] };

export async function add(file: File, signal: AbortSignal): Promise<string[]> {
  const added = await lectern.addFile(file, document, {
    onProgress: ({ sentBytes, totalBytes }) => {
      assert<Equal<typeof sentBytes, number>>();
      assert<Equal<typeof totalBytes, number | undefined>>();
    },
    signal,
    idempotencyKey: 'contract-7',
  });
  for await (const { status } of lectern.progress({ scope, documentIds: [added.id] }, { signal })) {
    assert<Equal<typeof status, 'created' | 'processing' | 'ready' | 'failed' | 'deleted' | 'unknown'>>();
  }
  // @ts-expect-error no such type
  await lectern.addFile(file, { ...document, documentType: 'Poem' });
  const hits = await lectern.trpc.chunks.search.query({ scope, datasetIds: ['contracts'], query: 'deposit' });
  return hits.map(({ content }) => content);
}

export function explain(error: unknown): string[] {
  const { status, detail } = readFailure(error);
  assert<Equal<typeof detail, ErrorDetail[]>>();
  assert<Equal<ErrorDetail, { type: string; loc: (string | number)[]; msg: string }>>();
  return status === undefined ? [] : detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`);
}

type Search = paths['/admin/api/v1/api/v1/documentChunks/search']['post'];
assert<Equal<keyof Search['requestBody']['content'], 'application/json'>>();
assert<Equal<components['schemas']['ErrorDetail'], ErrorDetail>>();
