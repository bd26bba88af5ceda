/** Where a browser gets the console: the paths of its routes, which `web/src/app/routes.tsx` defines. */
export const CONSOLE_PATHS = [
  '/',
  '/overview',
  '/documents',
  '/documents/:documentId',
  '/datasets',
  '/search',
  '/conversations',
  '/operations',
  '/keys',
  '/members',
  '/webhooks',
  '/audit',
];

const PATTERN = new RegExp(`^(?:${CONSOLE_PATHS.map((path) => path.replace(/:\w+/g, '[^/]+')).join('|')})$`);

/** Whether the console has a page at a path. */
export const isConsolePath = (path: string): boolean => PATTERN.test(path);
