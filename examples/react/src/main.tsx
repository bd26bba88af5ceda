import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { AddFile } from './add-file';
import { Documents } from './documents';
import { queryClient } from './lectern';
import { Search } from './search';

createRoot(document.getElementById('page') as HTMLElement).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <main>
        <h1>Ask the documents</h1>
        <AddFile />
        <Documents />
        <Search />
      </main>
    </QueryClientProvider>
  </StrictMode>,
);
