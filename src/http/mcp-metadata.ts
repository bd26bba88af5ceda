import { type Request, Router } from 'express';
import { isMcpPath, MCP_PATH, type McpResource, METADATA_PATH } from '../auth/tokens/mcp-resource.js';
import { challenge } from './middleware/auth.js';

/** Serves the metadata of the MCP endpoint as a protected resource (RFC 9728), also at the root, where some clients look. */
export function serveMcpMetadata({ identifier, issuers, scopes }: McpResource): Router {
  const routes = Router();
  const metadata = {
    resource: identifier,
    resource_name: 'Lectern',
    authorization_servers: issuers,
    bearer_methods_supported: ['header'],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
  };
  routes.get([METADATA_PATH, METADATA_PATH + MCP_PATH], (_req, res) => {
    res.json(metadata);
  });
  return routes;
}

/** The WWW-Authenticate challenge, which tells clients of MCP where they get a token. */
export const mcpChallenge =
  ({ metadataUrl, scopes }: McpResource) =>
  (req: Request): string => {
    if (!isMcpPath(req.path)) return challenge(req);
    const scope = scopes.length > 0 ? `, scope="${scopes.join(' ')}"` : '';
    return `${challenge(req)}, resource_metadata="${metadataUrl}"${scope}`;
  };
