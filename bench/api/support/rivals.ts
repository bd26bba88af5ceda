import type { RivalProgram } from './with-servers.js';

export const BY_HAND: RivalProgram = { name: 'by hand: Express, zod, Kysely', program: 'by-hand/by-hand' };
export const BARE_HTTP: RivalProgram = { name: 'node:http, prepared pg', program: 'bare-http' };
export const TRPC_TO_OPENAPI: RivalProgram = { name: 'trpc-to-openapi', program: 'trpc-to-openapi' };
export const BARE_TRPC: RivalProgram = { name: 'bare tRPC', program: 'bare-trpc' };
export const TRPC_ON_EXPRESS: RivalProgram = {
  name: 'bare tRPC on Express',
  program: 'bare-trpc',
  args: ['express'],
};
