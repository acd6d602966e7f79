/** The routes of an application, and the responses to the methods that its paths do not have. */
import { Problem } from '@trellis/schema/problem.ts';
import type { FastifyInstance } from 'fastify';

/** The methods of each path; parameters as `:name`. */
export type Routes = ReadonlyMap<string, ReadonlySet<string>>;

/** Collects every route that is registered from now on. */
export function collectRoutes(app: FastifyInstance): Routes {
  const routes = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = routes.get(url) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    routes.set(url, known);
  });
  return routes;
}

/** Registers 405 responses for the methods that each path lacks, with the ones it has (RFC 9110, 15.5.6). */
export function registerOtherMethods(app: FastifyInstance, routes: Routes): void {
  for (const [url, methods] of routes) {
    const allow = [...methods].sort().join(', ');
    app.route({
      method: app.supportedMethods.filter((method) => !methods.has(method)),
      url,
      config: { isOtherMethod: true },
      // Before the body is read: its type and size do not matter here.
      onRequest: async () => {
        throw new Problem('method_not_allowed', `Allowed: ${allow}.`, { headers: { allow } });
      },
      handler: async () => undefined,
    });
  }
}
