import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './lectern';
import { Page } from './page';
import { finishSignIn } from './users';

const root = createRoot(document.getElementById('page') as HTMLElement);
// Before anything is rendered, as a code is of use once.
const result = await finishSignIn().catch((error: Error) => error);

root.render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <main>
        <h1>Conversations</h1>
        {result instanceof Error && <p role="alert">You are not signed in: {result.message}</p>}
        <Page signedIn={result instanceof Error ? null : result} />
      </main>
    </QueryClientProvider>
  </StrictMode>,
);
