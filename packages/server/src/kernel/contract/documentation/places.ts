/** The public pages below /docs, in the order of their navigation. */

import type { DescribedApi } from '../described-api.ts';

/** A page of the navigation. */
export interface Place {
  readonly path: string;
  readonly name: string;
  /** What the page has, as a sentence. */
  readonly about: string;
}

/** The pages of every server. Those of single errors are found from the page of all errors. */
const commonPlaces: readonly Place[] = [
  { path: '/docs', name: 'Reference', about: 'The reference of the API; needs JavaScript.' },
  {
    path: '/docs/operations',
    name: 'Operations',
    about: 'What holds for all calls, and every operation of the tenant API.',
  },
  { path: '/docs/errors', name: 'Errors', about: 'Every error code, and what to do about it.' },
  { path: '/docs/permissions', name: 'Permissions', about: 'What each role and scope allows.' },
  { path: '/docs/limits', name: 'Limits', about: 'Every limit, including those of single fields.' },
];

/** The pages of a server, with those of its features. */
export function placesOf({ features }: Pick<DescribedApi, 'features'>): readonly Place[] {
  return [...commonPlaces, ...features.flatMap(({ pages = [] }) => pages)];
}
