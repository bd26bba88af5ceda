import type { TRPCBuiltRouter, TRPCDecorateCreateRouterOptions } from '@trpc/server';
import { apiKeys } from './api-keys.js';
import { audit } from './audit.js';
import { chunks } from './chunks.js';
import { conversations } from './conversations.js';
import { datasets } from './datasets.js';
import { documents } from './documents.js';
import { evaluations } from './evaluations.js';
import { files } from './files.js';
import { labels } from './labels.js';
import { members } from './members.js';
import { messages } from './messages.js';
import type { Meta } from './meta.js';
import { overview } from './overview.js';
import { reach } from './reach.js';
import { retention } from './retention.js';
import { search } from './search.js';
import { session } from './session.js';
import type { ErrorShape } from './trpc-error-shape.js';
import { users } from './users.js';
import { webhooks } from './webhooks.js';

export const procedures = {
  conversations,
  labels,
  messages,
  datasets,
  documents,
  chunks,
  files,
  search,
  evaluations,
  audit,
  apiKeys,
  session,
  reach,
  overview,
  webhooks,
  retention,
  users,
  members,
};

/**
 * For front ends: `createTRPCClient<AppRouter>(…)`. Declared here without the server's context, so that
 * clients do not compile the server's types.
 */
export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: Meta; errorShape: ErrorShape; transformer: false },
  TRPCDecorateCreateRouterOptions<typeof procedures>
>;
