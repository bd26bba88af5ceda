import { z } from 'zod';
import { access } from './variables/access.js';
import { database } from './variables/database.js';
import { embedding } from './variables/embedding.js';
import { extraction } from './variables/extraction.js';
import type { Group } from './variables/group.js';
import { limits } from './variables/limits.js';
import { operation } from './variables/operation.js';
import { processing } from './variables/processing.js';
import { reranking } from './variables/reranking.js';
import { search } from './variables/search.js';
import { storage } from './variables/storage.js';
import { tenants } from './variables/tenants.js';
import { tracing } from './variables/tracing.js';

/** All variables, in the order of the documentation. */
export const variableGroups: Group[] = [
  access,
  database,
  storage,
  processing,
  extraction,
  search,
  embedding,
  reranking,
  tenants,
  limits,
  operation,
  tracing,
];

/** The environment, all of it optional. */
export const environment = z.object({
  ...access.variables,
  ...database.variables,
  ...storage.variables,
  ...processing.variables,
  ...extraction.variables,
  ...search.variables,
  ...embedding.variables,
  ...reranking.variables,
  ...tenants.variables,
  ...limits.variables,
  ...operation.variables,
  ...tracing.variables,
});

export type Environment = z.output<typeof environment>;
