import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { serverStatus } from './api/server-status';
import { queryClient } from './api/trpc';
import { router } from './app/routes';
import { LanguageProvider } from './language/language';
import '@fontsource-variable/inter';
import './ui/tokens.css';
import './ui/base.css';

const RELOADED = 'lectern.reloaded';

// A page that is older than the server asks for scripts that are gone. Loading it again once gets the new ones.
window.addEventListener('vite:preloadError', (event) => {
  if (sessionStorage.getItem(RELOADED)) return;
  event.preventDefault();
  sessionStorage.setItem(RELOADED, 'yes');
  window.location.reload();
});
window.addEventListener('load', () => setTimeout(() => sessionStorage.removeItem(RELOADED), 10_000));

// Nothing is shown before it is known, so it is asked for while the screen is loaded.
void queryClient.prefetchQuery(serverStatus);

const root = document.getElementById('console');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <LanguageProvider>
          <RouterProvider router={router} />
        </LanguageProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
