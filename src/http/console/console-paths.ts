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

const PATTERNS = CONSOLE_PATHS.map((path) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`));

/** Whether the console has a page at a path. */
export const isConsolePath = (path: string): boolean => PATTERNS.some((pattern) => pattern.test(path));
