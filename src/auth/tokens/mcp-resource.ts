import type { TokenIssuer } from './token-issuer.js';

/** The MCP endpoint as a resource of its own (RFC 9728), for which clients get tokens from the configured issuers. */
export interface McpResource {
  /** Its identifier, and an audience of tokens (RFC 8707). */
  identifier: string;
  /** Where its metadata is. */
  metadataUrl: string;
  issuers: readonly string[];
  /** What clients ask the issuers for; they decide themselves if there is none. */
  scopes: readonly string[];
}

export const MCP_PATH = '/mcp';
export const isMcpPath = (path: string): boolean => /^\/mcp\/?$/i.test(path);
/** With the path of the resource behind it, or alone. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/**
 * @param publicUrl where people reach the server, without a path
 * @returns undefined where no issuer is configured, or nobody knows the address
 */
export function createMcpResource(
  publicUrl: string | undefined,
  issuers: readonly TokenIssuer[],
): McpResource | undefined {
  if (publicUrl === undefined || issuers.length === 0) return undefined;
  return {
    identifier: `${publicUrl}${MCP_PATH}`,
    metadataUrl: `${publicUrl}${METADATA_PATH}${MCP_PATH}`,
    issuers: issuers.map(({ issuer }) => issuer),
    scopes: [...new Set(issuers.flatMap(({ mcpScopes }) => mcpScopes))],
  };
}
