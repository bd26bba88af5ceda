/** Adds a file, follows its processing, and asks a question. Usage: node built/client.js FILE QUESTION */
import { openAsBlob } from 'node:fs';
import path from 'node:path';
import { createLectern, readFailure } from 'lectern/client';

const { LECTERN_URL = 'http://127.0.0.1:8080', LECTERN_KEY, LECTERN_TENANT = 'example' } = process.env;
const lectern = createLectern({ url: LECTERN_URL, ...(LECTERN_KEY && { apiKey: LECTERN_KEY }) });
const [file, question] = process.argv.slice(2);
if (!file || !question) {
  console.error('Usage: node built/client.js FILE QUESTION');
  process.exit(2);
}
const scope = { tenantId: LECTERN_TENANT, tenantUnitId: 'typescript' };
const datasetIds = ['files'];

try {
  const document = await lectern.addFile(
    await openAsBlob(file),
    { scope, datasetIds, documentType: 'UnstructuredFile', fileName: path.basename(file) },
    { onProgress: ({ sentBytes, totalBytes }) => console.error(`sent ${sentBytes} of ${totalBytes} bytes`) },
  );
  for await (const { status } of lectern.progress({ scope, documentIds: [document.id] })) {
    console.error(status);
  }
  const hits = await lectern.trpc.chunks.search.query({ scope, datasetIds, query: question });
  for (const { score, documentName, content } of hits.slice(0, 3)) {
    console.log(`${score.toFixed(2)}  ${documentName ?? file}\n${content}\n`);
  }
} catch (error) {
  const { status, detail, requestId } = readFailure(error);
  console.error(status ?? 'no answer', detail.map(({ msg }) => msg).join(' '), requestId ?? error);
  process.exitCode = 1;
}
