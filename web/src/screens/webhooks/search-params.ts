import type { Delivery } from './events';

export const deliveryStates = ['pending', 'delivered', 'failed'] as const satisfies Delivery['state'][];

/** The chosen webhook, and which of its deliveries are shown, as they are in the address. */
export interface WebhooksSearch {
  webhook?: string | undefined;
  delivery?: Delivery['state'] | undefined;
  page?: number | undefined;
}

/** What the address says; what does not fit is left out. */
export function readWebhooksSearch(search: Record<string, unknown>): WebhooksSearch {
  const page = Number(search.page);
  return {
    webhook: typeof search.webhook === 'string' && search.webhook !== '' ? search.webhook : undefined,
    delivery: deliveryStates.find((state) => state === search.delivery),
    page: Number.isSafeInteger(page) && page > 1 ? page : undefined,
  };
}
