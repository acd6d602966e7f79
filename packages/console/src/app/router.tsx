/** The pages and their paths. Each is loaded when it is first shown. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
} from '@tanstack/react-router';
import { preloadWaiting } from '../waiting/preload.ts';
import { NotFoundPage } from './NotFoundPage.tsx';
import { SignedInArea } from './SignedInArea.tsx';
import { useSessionNews } from './session.ts';

/** Parameters of an address, each a text: sort and filters of a list, or where to return to after a sign-in. */
type Search = Readonly<Record<string, string>>;

/** Every page hears who is signed in. */
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
  component: lazyRouteComponent(() => import('../home/HomePage.tsx'), 'HomePage'),
});
const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('../account/AccountPage.tsx'), 'AccountPage'),
});
const events = createRoute({
  getParentRoute: () => signedIn,
  path: '/events',
  component: lazyRouteComponent(() => import('../events/EventsPage.tsx'), 'EventsPage'),
});
const importing = createRoute({
  getParentRoute: () => signedIn,
  path: '/import',
  component: lazyRouteComponent(() => import('../import/ImportPage.tsx'), 'ImportPage'),
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  component: lazyRouteComponent(() => import('../settings/SettingsIndex.tsx'), 'SettingsIndex'),
});
const organization = createRoute({
  getParentRoute: () => signedIn,
  path: '/organization',
  component: lazyRouteComponent(() => import('../settings/OrganizationPage.tsx'), 'OrganizationPage'),
});
const sessions = createRoute({
  getParentRoute: () => signedIn,
  path: '/sessions',
  component: lazyRouteComponent(() => import('../settings/SessionsPage.tsx'), 'SessionsPage'),
});
const visitors = createRoute({
  getParentRoute: () => signedIn,
  path: '/visitors',
  component: lazyRouteComponent(() => import('../visitors/VisitorsPage.tsx'), 'VisitorsPage'),
});
const records = createRoute({
  getParentRoute: () => signedIn,
  path: '$',
  component: lazyRouteComponent(async () => {
    const [pages] = await Promise.all([import('../records/PlacePage.tsx'), preloadWaiting()]);
    return pages;
  }, 'PlacePage'),
});

export const router = createRouter({
  basepath: '/console',
  routeTree: rootRoute.addChildren([
    page(
      '/sign-in',
      lazyRouteComponent(() => import('../sign-in/SignInPage.tsx'), 'SignInPage'),
    ),
    page(
      '/link',
      lazyRouteComponent(() => import('../sign-in/LinkPage.tsx'), 'LinkPage'),
    ),
    page(
      '/forgot',
      lazyRouteComponent(() => import('../sign-in/ForgotPage.tsx'), 'ForgotPage'),
    ),
    page(
      '/reset',
      lazyRouteComponent(() => import('../sign-in/ResetPage.tsx'), 'ResetPage'),
    ),
    page(
      '/invitation',
      lazyRouteComponent(() => import('../invitation/InvitationPage.tsx'), 'InvitationPage'),
    ),
    page(
      '/external',
      lazyRouteComponent(() => import('../sign-in/ExternalPage.tsx'), 'ExternalPage'),
    ),
    signedIn.addChildren([
      home,
      account,
      events,
      importing,
      settings,
      organization,
      sessions,
      visitors,
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
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
