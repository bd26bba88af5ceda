import { pageOf, textOf } from '../../common/search-params';

/** Filters and page, as they are in the address. */
export interface AuditSearch {
  key?: string | undefined;
  user?: string | undefined;
  action?: string | undefined;
  subject?: string | undefined;
  /** A moment in ISO 8601, as `until`. */
  since?: string | undefined;
  until?: string | undefined;
  page?: number | undefined;
}

/** What the address says; what does not fit is left out. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  return {
    key: textOf(search.key),
    user: textOf(search.user),
    action: textOf(search.action),
    subject: textOf(search.subject),
    since: momentOf(search.since),
    until: momentOf(search.until),
    page: pageOf(search.page),
  };
}

function momentOf(value: unknown): string | undefined {
  const time = typeof value === 'string' && value !== '' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
