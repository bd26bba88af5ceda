import type { KeyAccess, Permission } from '../../auth/permissions.js';
import type { QuotaLimits } from '../shared/quotas.js';
import type { TenantScope } from '../shared/tenant-scope.js';
import { readUsage } from '../shared/tenant-usage.js';
import { type AttentionDependencies, readAttention } from './attention.js';
import { readConversations } from './conversation-counts.js';
import type {
  Attention,
  ConversationsOverview,
  ConversationsRequest,
  Overview,
  OverviewRequest,
  Queue,
  RateRequest,
  Rates,
  Usage,
} from './overview.schema.js';
import { readQueue } from './queue.js';
import { PERIODS, readRates } from './rates.js';
import { countConversations, countDocuments } from './status-counts.js';

export interface OverviewDependencies extends AttentionDependencies {
  quotas: QuotaLimits & Record<'embeddedTokens' | 'extractedPages', number | undefined>;
}

export type OverviewService = ReturnType<typeof createOverview>;

/** What a tenant has, what happens to it, and what failed. */
export function createOverview({ db, clock, quotas, ...others }: OverviewDependencies) {
  return { get, attention, usage, rates, conversations, queue };

  async function get({ scope }: OverviewRequest, access?: KeyAccess): Promise<Overview> {
    const may = (permission: Permission) => !access || access.permissions.includes(permission);
    const [ofDocuments, ofConversations] = [may('documents:read'), may('conversations:read')];
    return {
      documents: ofDocuments ? await countDocuments(db, scope) : null,
      conversations: ofConversations ? await countConversations(db, { scope }) : null,
    };
  }

  async function attention(request: OverviewRequest, access?: KeyAccess): Promise<Attention> {
    return readAttention({ db, clock, ...others }, request, access);
  }

  async function rates({ scope, period }: RateRequest): Promise<Rates> {
    const { stepSeconds } = PERIODS[period];
    return {
      stepSeconds,
      rates: isWholeTenant(scope) ? await readRates(db, { scope, period }, clock()) : null,
    };
  }

  async function conversations(request: ConversationsRequest): Promise<ConversationsOverview> {
    return readConversations(db, request, clock());
  }

  async function queue({ scope }: OverviewRequest): Promise<Queue> {
    return readQueue(db, scope);
  }

  async function usage({ scope }: OverviewRequest): Promise<Usage> {
    if (!isWholeTenant(scope)) return null;
    const { tenantId } = scope;
    const { documents, chunks, bytes } = await readUsage(db, tenantId);
    const embedding = await db
      .selectFrom('embeddingUsage')
      .select('tokens')
      .where('tenantId', '=', tenantId)
      .executeTakeFirst();
    const extraction = await db
      .selectFrom('extractionUsage')
      .select('pages')
      .where('tenantId', '=', tenantId)
      .executeTakeFirst();
    return {
      documents: { used: documents, limit: quotas.documents ?? null },
      chunks: { used: chunks, limit: quotas.chunks ?? null },
      bytes: { used: bytes, limit: quotas.bytes ?? null },
      embeddedTokens: { used: embedding?.tokens ?? 0, limit: quotas.embeddedTokens ?? null },
      extractedPages: { used: extraction?.pages ?? 0, limit: quotas.extractedPages ?? null },
    };
  }
}

/** Whether a scope is not restricted to any units or datasets, by itself or by the key. */
const isWholeTenant = ({ tenantUnitId, datasetIds }: TenantScope): boolean =>
  tenantUnitId === undefined && datasetIds === undefined;
