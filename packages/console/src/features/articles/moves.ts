/** The moves of an article between its statuses that are allowed now. */

import {
  type VersionStatus,
  versionStatuses,
  versionTransitions,
} from '@trellis/schema/resources/article-transitions.ts';
import { valueAt } from '@trellis/schema/values/paths.ts';

/** The statuses that somebody can ask for, in the order in which an article takes them. */
const moveTargets = [
  'IN_REVIEW',
  'APPROVED',
  'DRAFT',
  'SCHEDULED',
  'PUBLISHED',
  'UNPUBLISHED',
  'ARCHIVED',
] as const satisfies readonly VersionStatus[];
export type MoveTarget = (typeof moveTargets)[number];

export interface Move {
  readonly to: MoveTarget;
  readonly needsPublish: boolean;
}

/** The status of a record's working version. */
export function statusOfArticle(record: Readonly<Record<string, unknown>>): VersionStatus {
  const status = valueAt(record, 'versionData.status');
  return versionStatuses.find((known) => known === status) ?? 'DRAFT';
}

/** The moves from the present state, by the table that the server decides by. */
export function movesOf(record: Readonly<Record<string, unknown>>): Move[] {
  const status = statusOfArticle(record);
  return moveTargets.flatMap((to) => {
    const need = versionTransitions[status][to];
    if (need !== undefined) return { to, needsPublish: need === 'publish' };
    // The published version is unpublished although a draft exists beside it (decision 0004).
    const isUnpublished = to === 'UNPUBLISHED' && typeof record.publishedVersionNumber === 'number';
    return isUnpublished ? { to, needsPublish: true } : [];
  });
}

/** The move that most likely comes next; null where none does. */
export function nextMove(moves: readonly Move[], mayPublish: boolean): MoveTarget | null {
  const allowed = moves.filter(({ needsPublish }) => mayPublish || !needsPublish).map(({ to }) => to);
  const order = mayPublish ? (['APPROVED', 'PUBLISHED'] as const) : (['IN_REVIEW'] as const);
  return order.find((to) => allowed.includes(to)) ?? null;
}
