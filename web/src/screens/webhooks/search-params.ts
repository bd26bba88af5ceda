import { pageOf, textOf } from '../../common/search-params';
import type { Delivery } from './events';

export const deliveryStates = ['pending', 'delivered', 'failed'] as const satisfies Delivery['state'][];

/** What keeps events from arriving. */
export const troubles = ['paused', 'failing'] as const;

/** The chosen webhook, and which of its deliveries are shown, as they are in the address. */
export interface WebhooksSearch {
  /** Only webhooks with this trouble. */
  trouble?: (typeof troubles)[number] | undefined;
  /** By `url` or `state`, with a minus for descending; as the server lists them, if undefined. */
  sort?: string | undefined;
  webhook?: string | undefined;
  delivery?: Delivery['state'] | undefined;
  page?: number | undefined;
}

/** What the address says; what does not fit is left out. */
export function readWebhooksSearch(search: Record<string, unknown>): WebhooksSearch {
  return {
    trouble: troubles.find((trouble) => trouble === search.trouble),
    sort: textOf(search.sort),
    webhook: textOf(search.webhook),
    delivery: deliveryStates.find((state) => state === search.delivery),
    page: pageOf(search.page),
  };
}
