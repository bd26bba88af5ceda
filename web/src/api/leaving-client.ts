import { createTRPCClient, httpLink } from '@trpc/client';
import type { AppRouter } from 'lectern/routers';
import { url } from './trpc';

/** For calls that are made, and answered to nobody, while the page is being left. */
export const leavingClient = createTRPCClient<AppRouter>({
  links: [
    httpLink({
      url,
      fetch: (address, options) => fetch(address, { ...(options as RequestInit), keepalive: true }),
    }),
  ],
});
