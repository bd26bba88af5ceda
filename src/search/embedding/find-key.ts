/** A key is sent to the origin that it is configured for, and to no other. */
export function findKey(
  url: string,
  {
    endpoint,
    previousApiKey,
  }: { endpoint: { url: string; apiKey?: string | undefined }; previousApiKey?: string | undefined },
): string | undefined {
  return new URL(url).origin === new URL(endpoint.url).origin ? endpoint.apiKey : previousApiKey;
}
