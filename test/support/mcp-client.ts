import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';

/** The versions that are served; the first has no handshake. */
export const VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18'] as const;

/** Connects the official client, for one version of the protocol. */
export async function connectMcp(transport: Transport, version: (typeof VERSIONS)[number] = '2026-07-28') {
  const client = new Client(
    { name: 'test', version: '1' },
    version === '2026-07-28'
      ? { versionNegotiation: { mode: { pin: version } } }
      : { supportedProtocolVersions: [version] },
  );
  await client.connect(transport);
  return client;
}

/** The transport of a server's address, with a key. */
export const overHttp = (address: string, key?: string, query = '') =>
  new StreamableHTTPClientTransport(new URL(`/mcp${query}`, address), {
    ...(key && { requestInit: { headers: { authorization: `Bearer ${key}` } } }),
  });
