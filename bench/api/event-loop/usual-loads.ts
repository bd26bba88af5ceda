import type { HttpClient } from '../../search/http-client.js';
import { chunksOf, createChunks, createDocument, DOCUMENTS, search } from './requests.js';
import { chineseText, spacedText } from './texts.js';

/** What is done in a round. */
export type Loads = Record<string, (round: number) => Promise<unknown>>;

/** The longest text of a chunk. */
const LONGEST = 32_768;

/** The largest requests that people and programs make. */
export async function usualLoads(http: HttpClient): Promise<Loads> {
  const { id: documentId, chunkIds } = await createChunks(http, 'faq', 'A chunk that is edited.');
  return {
    'edits of the longest chunks': async (round) => {
      for (const content of [spacedText(LONGEST, round), chineseText(LONGEST, round)])
        await http.send('PATCH', `${chunksOf(documentId)}${chunkIds[0]}?tenantId=acme&tenantUnitId=unit`, {
          content,
        });
    },
    'inline documents of 1 MB': (round) => createDocument(http, 'faq', spacedText(1_000_000, round)),
    'searches with 100 words': (round) => search(http, 'faq', spacedText(600, round)),
    'lists of documents and conversations': async () => {
      await http.get(`${DOCUMENTS}?tenantId=acme&pageSize=100`);
      await http.get('/admin/api/v2/conversations?tenant_id=acme&page_size=100');
    },
  };
}
