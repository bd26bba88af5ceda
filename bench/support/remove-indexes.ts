import type { MeilisearchServer } from '../../src/search/meilisearch/connect.js';
import { serverKeySpec, tokenKeySpec } from '../../src/search/meilisearch/keys.js';
import { waitForTask } from '../../src/search/meilisearch/tasks.js';

/** Deletes indexes, and the key that the service made for its prefix. What is missing is no error. */
export async function removeIndexes(
  { adminClient, prefix }: MeilisearchServer,
  uids: string[],
): Promise<void> {
  if (!adminClient) return;
  for (const uid of uids) {
    await waitForTask(adminClient, (await adminClient.deleteIndex(uid)).taskUid).catch(() => {});
  }
  for (const { uid } of [serverKeySpec(prefix), tokenKeySpec(prefix)]) {
    await adminClient.deleteKey(uid).catch(() => {});
  }
}
