/** The pages and their paths. Each is loaded when it is first shown. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router';
import { useSessionNews } from '../session/session.ts';
import { loadEntryPages, loadHome } from './areas.ts';
import { BrokenPage } from './BrokenPage.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { preloadPending } from './preload.ts';
import { SignedInArea } from './SignedInArea.tsx';

/** Parameters of an address, each a text: sort and filters of a list, or where to return to after a sign-in. */
type Search = Readonly<Record<string, string>>;

/** Every page is given the signed-in user. */
function Root() {
  useSessionNews();
  return <Outlet />;
}

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  validateSearch: (search): Search => search as Search,
});

const page = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => rootRoute, path, component });

const signedIn = createRoute({ getParentRoute: () => rootRoute, id: 'signed-in', component: SignedInArea });
const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(loadHome, 'HomePage'),
});
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('../features/account/AccountPage.tsx'), 'AccountPage'),
});
const events = createRoute({
  getParentRoute: () => signedIn,
  path: '/events',
  component: lazyRouteComponent(() => import('../features/events/EventsPage.tsx'), 'EventsPage'),
});
const importing = createRoute({
  getParentRoute: () => signedIn,
  path: '/import',
  component: lazyRouteComponent(() => import('../features/import/ImportPage.tsx'), 'ImportPage'),
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  component: lazyRouteComponent(() => import('../features/settings/SettingsIndex.tsx'), 'SettingsIndex'),
});
const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/organization',
  component: lazyRouteComponent(
    () => import('../features/settings/OrganizationPage.tsx'),
    'OrganizationPage',
  ),
});
const sessions = createRoute({
  getParentRoute: () => signedIn,
  path: '/sessions',
  component: lazyRouteComponent(() => import('../features/settings/SessionsPage.tsx'), 'SessionsPage'),
});
const visitors = createRoute({
  getParentRoute: () => signedIn,
  path: '/visitors',
  component: lazyRouteComponent(() => import('../features/visitors/VisitorsPage.tsx'), 'VisitorsPage'),
});
const trash = createRoute({
  getParentRoute: () => signedIn,
  path: '/trash',
  component: lazyRouteComponent(() => import('../features/trash/TrashPage.tsx'), 'TrashPage'),
});
const calendar = createRoute({
  getParentRoute: () => signedIn,
  path: '/calendar',
  component: lazyRouteComponent(
    () => import('../features/articles/calendar/CalendarPage.tsx'),
    'CalendarPage',
  ),
});
const pictures = createRoute({
  getParentRoute: () => signedIn,
  path: '/pictures',
  component: lazyRouteComponent(
    () => import('../features/knowledge/pictures/PicturesPage.tsx'),
    'PicturesPage',
  ),
});
const records = createRoute({
  getParentRoute: () => signedIn,
  path: '$',
  component: lazyRouteComponent(async () => {
    const [pages] = await Promise.all([import('./PlacePage.tsx'), preloadPending()]);
    return pages;
  }, 'PlacePage'),
});

export const router = createRouter({
  basepath: '/console',
  routeTree: rootRoute.addChildren([
    page('/sign-in', lazyRouteComponent(loadEntryPages, 'SignInPage')),
    page('/link', lazyRouteComponent(loadEntryPages, 'LinkPage')),
    page('/forgot', lazyRouteComponent(loadEntryPages, 'ForgotPage')),
    page('/reset', lazyRouteComponent(loadEntryPages, 'ResetPage')),
    page(
      '/invitation',
      lazyRouteComponent(() => import('../features/invitation/InvitationPage.tsx'), 'InvitationPage'),
    ),
    page('/external', lazyRouteComponent(loadEntryPages, 'ExternalPage')),
    signedIn.addChildren([
      home,
      account,
      events,
      importing,
      settings,
      organization,
      sessions,
      visitors,
      trash,
      calendar,
      pictures,
      records,
    ]),
  ]),
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
    const text = new URLSearchParams(entries as [string, string][]).toString();
    return text === '' ? '' : `?${text}`;
  },
  scrollRestoration: true,
  defaultErrorComponent: BrokenPage,
});

/** Whether the present address is one of the pages behind the sign-in. */
export function needsSession(): boolean {
  return router.matchRoutes(router.latestLocation).some(({ routeId }) => routeId === signedIn.id);
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
