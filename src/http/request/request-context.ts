import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that the code at hand works for, where it reads. */
export interface RequestContext {
  /** It writes, too: what it has begun is ended. */
  isWrite?: boolean;
  /** Its client has disconnected: what it asks of the database is cancelled. */
  isCancelled?: boolean;
}

const contexts = new AsyncLocalStorage<RequestContext>();

/** Does `work`, also asynchronously, for this read. */
export const withRequest = <T>(request: RequestContext, work: () => T): T => contexts.run(request, work);

export const currentRequest = (): RequestContext | undefined => contexts.getStore();
