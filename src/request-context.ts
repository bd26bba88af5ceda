import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that the code at hand works for. */
export interface RequestContext {
  /** Whether what it asks of the database is cancelled when its client disconnects. */
  isCancellable?: boolean;
  isCancelled?: boolean;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** Does `work`, also asynchronously, for this request. */
export const withRequest = <T>(request: RequestContext, work: () => T): T => contexts.run(request, work);

export const currentRequest = (): RequestContext | undefined => contexts.getStore();
