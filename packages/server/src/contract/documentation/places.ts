/** The public pages below /docs, in the order of their navigation. */

/** A page of the navigation. */
interface Place {
  readonly path: string;
  readonly name: string;
  /** What the page has, as a sentence. */
  readonly about: string;
}

/** The pages. Those of single errors are found from the page of all errors. */
export const places: readonly Place[] = [
  { path: '/docs', name: 'Reference', about: 'The reference of the API; needs JavaScript.' },
  {
    path: '/docs/operations',
    name: 'Operations',
    about: 'What holds for all calls, and every operation of the tenant API.',
  },
  { path: '/docs/errors', name: 'Errors', about: 'Every error code, and what to do about it.' },
  { path: '/docs/permissions', name: 'Permissions', about: 'What each role and scope allows.' },
  { path: '/docs/limits', name: 'Limits', about: 'Every limit, including those of single fields.' },
  { path: '/docs/visitors', name: 'Visitors', about: 'Recognizing the browsers that visit a website.' },
  {
    path: '/docs/webhooks',
    name: 'Webhooks',
    about: 'Receiving events: promises, signatures, retries, and all types.',
  },
  {
    path: '/docs/changelogs/visitor-lookup',
    name: 'Visitor changelog',
    about: 'Changes of the shape of a visitor.',
  },
];
