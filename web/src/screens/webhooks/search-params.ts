import type { Delivery } from './events';

export const deliveryStates = ['pending', 'delivered', 'failed'] as const satisfies Delivery['state'][];

/** What keeps events from arriving. */
export const troubles = ['paused', 'failing'] as const;

/** The chosen webhook, and which of its deliveries are shown, as they are in the address. */
export interface WebhooksSearch {
  /** Only webhooks with this trouble. */
  trouble?: (typeof troubles)[number] | undefined;
  webhook?: string | undefined;
  delivery?: Delivery['state'] | undefined;
  page?: number | undefined;
}

/** What the address says; what does not fit is left out. */
export function readWebhooksSearch(search: Record<string, unknown>): WebhooksSearch {
  const page = Number(search.page);
  return {
    trouble: troubles.find((trouble) => trouble === search.trouble),
    webhook: typeof search.webhook === 'string' && search.webhook !== '' ? search.webhook : undefined,
    delivery: deliveryStates.find((state) => state === search.delivery),
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
  };
}
