/** Refuses to run the tests on a double where a real server was meant. */
export default function requireMeilisearch(): void {
  const { MEILI_URL, MEILI_ADMIN_KEY } = process.env;
  if (!MEILI_URL || !MEILI_ADMIN_KEY) {
    throw new Error('Set MEILI_URL and MEILI_ADMIN_KEY to a running Meilisearch server and its master key.');
  }
}
