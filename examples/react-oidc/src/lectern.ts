import { QueryClient } from '@tanstack/react-query';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { type AppRouter, createLectern } from 'lectern/client';
import { users } from './users';

// The client tries again what fails for a moment; once is enough.
export const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });

const lectern = createLectern({
  url: import.meta.env.VITE_LECTERN_URL ?? 'http://127.0.0.1:8080',
  // With the latest token at each call.
  fetch: async (input, init) => {
    const request = new Request(input, init);
    const user = await users.getUser();
    if (user) request.headers.set('Authorization', `Bearer ${user.access_token}`);
    return fetch(request);
  },
});
export const trpc = createTRPCOptionsProxy<AppRouter>({ client: lectern.trpc, queryClient });
