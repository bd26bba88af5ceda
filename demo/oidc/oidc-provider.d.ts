/** What is used of oidc-provider, which has no types of its own. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    /** @returns its id */
    save(): Promise<string>;
  }

  export interface Interaction {
    prompt: { name: string };
    params: Record<string, unknown>;
    session?: { accountId: string };
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (fields: {
      accountId: string | undefined;
      clientId: unknown;
    }) => Grant;
    callback(): RequestListener;
    interactionDetails(req: IncomingMessage, res: ServerResponse): Promise<Interaction>;
    interactionFinished(req: IncomingMessage, res: ServerResponse, result: object): Promise<void>;
  }
}
