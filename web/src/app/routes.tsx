import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { readAuditSearch } from '../screens/audit/search-params';
import { readConversationsSearch } from '../screens/conversations/search-params';
import { readDatasetsSearch } from '../screens/datasets/search-params';
import { readDocumentSearch } from '../screens/document/search-params';
import { readDocumentsSearch } from '../screens/documents/search-params';
import { readKeysSearch } from '../screens/keys/search-params';
import { readMembersSearch } from '../screens/members/search-params';
import { readLabSearch } from '../screens/search/search-params';
import { readWebhooksSearch } from '../screens/webhooks/search-params';
import { NotFound } from './not-found';
import { initialScope, readScopeSearch } from './scope-search';
import { ScreenError } from './screen-error';
import { Shell } from './shell';
import { parseSearch, stringifySearch } from './url-search';

/* Every path here is in src/http/console/console-paths.ts, too: the server answers those with the console. */

const root = createRootRoute({
  component: Shell,
  notFoundComponent: NotFound,
  validateSearch: readScopeSearch,
  search: { middlewares: [retainSearchParams(['tenant', 'unit'])] },
  beforeLoad: ({ search, location }) => {
    if (search.tenant !== undefined) return;
    // The address names what is shown, so that it can be passed on.
    throw redirect({
      to: location.pathname as '/',
      search: { ...location.search, ...initialScope() },
      replace: true,
    });
  },
});

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/overview', replace: true });
  },
});

const overview = createRoute({
  getParentRoute: () => root,
  path: '/overview',
  component: lazyRouteComponent(() => import('../screens/overview/overview'), 'OverviewScreen'),
});

const documents = createRoute({
  getParentRoute: () => root,
  path: '/documents',
  validateSearch: readDocumentsSearch,
  component: lazyRouteComponent(() => import('../screens/documents/documents'), 'DocumentsScreen'),
});

const document = createRoute({
  getParentRoute: () => root,
  path: '/documents/$documentId',
  validateSearch: readDocumentSearch,
  component: lazyRouteComponent(() => import('../screens/document/document'), 'DocumentScreen'),
});

const datasets = createRoute({
  getParentRoute: () => root,
  path: '/datasets',
  validateSearch: readDatasetsSearch,
  component: lazyRouteComponent(() => import('../screens/datasets/datasets'), 'DatasetsScreen'),
});

const search = createRoute({
  getParentRoute: () => root,
  path: '/search',
  validateSearch: readLabSearch,
  component: lazyRouteComponent(() => import('../screens/search/search-lab'), 'SearchLab'),
});

const conversations = createRoute({
  getParentRoute: () => root,
  path: '/conversations',
  validateSearch: readConversationsSearch,
  component: lazyRouteComponent(
    () => import('../screens/conversations/conversations'),
    'ConversationsScreen',
  ),
});

const operations = createRoute({
  getParentRoute: () => root,
  path: '/operations',
  component: lazyRouteComponent(() => import('../screens/operations/operations'), 'OperationsScreen'),
});

const keys = createRoute({
  getParentRoute: () => root,
  path: '/keys',
  validateSearch: readKeysSearch,
  component: lazyRouteComponent(() => import('../screens/keys/keys'), 'KeysScreen'),
});

const members = createRoute({
  getParentRoute: () => root,
  path: '/members',
  validateSearch: readMembersSearch,
  component: lazyRouteComponent(() => import('../screens/members/members'), 'MembersScreen'),
});

const webhooks = createRoute({
  getParentRoute: () => root,
  path: '/webhooks',
  validateSearch: readWebhooksSearch,
  component: lazyRouteComponent(() => import('../screens/webhooks/webhooks'), 'WebhooksScreen'),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: '/audit',
  validateSearch: readAuditSearch,
  component: lazyRouteComponent(() => import('../screens/audit/audit'), 'AuditScreen'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    start,
    overview,
    documents,
    document,
    datasets,
    search,
    conversations,
    operations,
    keys,
    members,
    webhooks,
    audit,
  ]),
  parseSearch,
  stringifySearch,
  defaultErrorComponent: ScreenError,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
