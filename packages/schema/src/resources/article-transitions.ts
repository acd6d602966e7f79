/**
 * The statuses of article versions, the transitions between them, and their descriptions. The table of transitions is the
 * single source of the server's decisions and of the documentation.
 */

/** The statuses of one version. */
export const versionStatuses = [
  'DRAFT',
  'IN_REVIEW',
  'APPROVED',
  'SCHEDULED',
  'PUBLISHED',
  'UNPUBLISHED',
  'SUPERSEDED',
  'ARCHIVED',
] as const;
export type VersionStatus = (typeof versionStatuses)[number];

/** Statuses of versions that are never edited again; those of all others are drafts on their way to readers. */
export const frozenStatuses: readonly VersionStatus[] = [
  'PUBLISHED',
  'UNPUBLISHED',
  'SUPERSEDED',
  'ARCHIVED',
];

/** The derived states of an article. */
export const articleStates = ['UNPUBLISHED', 'PUBLISHED', 'CHANGED', 'ARCHIVED'] as const;
export type ArticleState = (typeof articleStates)[number];

/**
 * The transitions that a caller can request, with what they require besides `articles:write`. A version becomes SUPERSEDED
 * only when a newer version is published.
 */
export const versionTransitions: Readonly<
  Record<VersionStatus, Readonly<Partial<Record<VersionStatus, 'write' | 'publish'>>>>
> = {
  DRAFT: { IN_REVIEW: 'write', SCHEDULED: 'publish', PUBLISHED: 'publish', ARCHIVED: 'publish' },
  IN_REVIEW: { APPROVED: 'publish', DRAFT: 'publish' },
  APPROVED: { SCHEDULED: 'publish', PUBLISHED: 'publish' },
  SCHEDULED: { PUBLISHED: 'publish', DRAFT: 'write' },
  PUBLISHED: { UNPUBLISHED: 'publish' },
  UNPUBLISHED: { ARCHIVED: 'publish' },
  SUPERSEDED: { ARCHIVED: 'publish' },
  ARCHIVED: {},
};

/** The table of transitions in Markdown. */
export function describeTransitions(): string {
  const rows = versionStatuses.flatMap((from) =>
    Object.entries(versionTransitions[from]).map(
      ([to, right]) => `| ${from} | ${to} | ${right === 'publish' ? '`articles:publish`' : ''} |`,
    ),
  );
  return ['| from | to | requires besides `articles:write` |', '| --- | --- | --- |', ...rows].join('\n');
}

/** The transitions that require the right to publish, in one line. */
export function describePublishingTransitions(): string {
  return versionStatuses
    .flatMap((from) => {
      const transitions = Object.entries(versionTransitions[from]);
      const publishing = transitions.filter(([, right]) => right === 'publish').map(([to]) => to);
      return publishing.length === 0 ? [] : [`${from} to ${publishing.join(', ')}`];
    })
    .join('; ');
}
