import { QueryClient } from '@tanstack/react-query';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { type AppRouter, createLectern } from 'lectern/client';

export const scope = { tenantId: 'example', tenantUnitId: 'react' };
export const datasetIds = ['files'];

// The client tries again what fails for a moment; once is enough.
export const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
export const lectern = createLectern({ url: window.location.origin });
export const trpc = createTRPCOptionsProxy<AppRouter>({ client: lectern.trpc, queryClient });
