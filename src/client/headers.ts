/** Who calls, in the headers that the server reads. */
export function callerHeaders({
  apiKey,
  userId,
}: {
  apiKey?: string;
  userId?: string;
}): Record<string, string> {
  return {
    ...(apiKey !== undefined && { 'X-Api-Key': apiKey }),
    // A header takes bytes; the server reads them as UTF-8.
    ...(userId !== undefined && { 'X-User-Id': String.fromCharCode(...new TextEncoder().encode(userId)) }),
  };
}

/** A key for one write. Pages without https have no `crypto.randomUUID`. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
