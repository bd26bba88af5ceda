/** Where a browser gets the console: the paths of its routes, which `web/src/app/routes.tsx` defines. */
export const CONSOLE_PATHS = [
  '/',
  '/overview',
  '/documents',
  '/documents/:documentId',
  '/search',
  '/conversations',
  '/operations',
  '/keys',
  '/members',
  '/webhooks',
  '/audit',
];
