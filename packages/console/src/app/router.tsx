/** The pages and their paths. Those behind the sign-in are loaded when somebody is signed in. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router';
import { ExternalPage } from '../sign-in/ExternalPage.tsx';
import { ForgotPage } from '../sign-in/ForgotPage.tsx';
import { LinkPage } from '../sign-in/LinkPage.tsx';
import { ResetPage } from '../sign-in/ResetPage.tsx';
import { SignInPage } from '../sign-in/SignInPage.tsx';
import { NotFoundPage } from './NotFoundPage.tsx';
import { SignedInArea } from './SignedInArea.tsx';

/** Parameters of an address, each a text: sort and filters of a list, or where to return to after a sign-in. */
export type Search = Readonly<Record<string, string>>;

const rootRoute = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  validateSearch: (search): Search => search as Search,
});

const page = <const Path extends string>(path: Path, component: () => React.ReactNode) =>
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
const records = createRoute({
  getParentRoute: () => signedIn,
  path: '$',
  component: lazyRouteComponent(() => import('../records/PlacePage.tsx'), 'PlacePage'),
});

export const router = createRouter({
  basepath: '/console',
  routeTree: rootRoute.addChildren([
    page('/sign-in', SignInPage),
    page('/link', LinkPage),
    page('/forgot', ForgotPage),
    page('/reset', ResetPage),
    page('/external', ExternalPage),
    signedIn.addChildren([home, account, records]),
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
