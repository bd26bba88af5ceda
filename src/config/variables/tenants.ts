import { z } from 'zod';
import { group } from './group.js';
import { name } from './shapes.js';

const quota = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional();

/** Default tenant, and quotas. */
export const tenants = group({
  title: 'Tenants and quotas',
  note: 'Quotas apply to each tenant. A write that exceeds a quota gets 409. Without a value, there is no quota.',
  variables: {
    DEFAULT_TENANT_ID: name
      .default('default')
      .describe('Tenant of conversations that are created without one.'),
    DEFAULT_TENANT_UNIT_ID: name
      .default('default')
      .describe('Tenant unit of conversations that are created without one.'),
    QUOTA_DOCUMENTS: quota.meta({ description: 'Maximum documents of a tenant.', examples: ['100000'] }),
    QUOTA_CHUNKS: quota.meta({ description: 'Maximum chunks of a tenant.', examples: ['10000000'] }),
    QUOTA_STORED_BYTES: quota.meta({
      description:
        'Maximum bytes of files and inline text of a tenant. Uploaded files that no document uses also count.',
      examples: ['107374182400'],
    }),
    QUOTA_EXTRACTED_PAGES: quota.meta({
      description:
        'Maximum pages of a tenant that an extraction engine reads. Beyond it, pages that only an engine can read have no text.',
      examples: ['100000'],
    }),
    QUOTA_EMBEDDED_TOKENS: quota.meta({
      description:
        'Maximum tokens of embedded texts of a tenant, as the endpoint counts them. Beyond it, searches find further texts by words only.',
      examples: ['1000000000'],
    }),
  },
});
