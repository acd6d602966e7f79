/** Rules and storage of views. Row-level security decides who sees a view; these rules decide what a view may say, and who shares it. */

import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { roles } from '@trellis/schema/resources/grants.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { type FieldName, type ValuesOf, withChanges } from '@trellis/schema/resources/stored-values.ts';
import type { declareViews } from '@trellis/schema/resources/views.ts';
import { problemOf } from '@trellis/schema/validation/faults.ts';
import { type Statement, type Step, step } from '../../kernel/database/batch.ts';
import { type Actor, findGrant, type Requirement } from '../../kernel/identity/actor.ts';
import { advisoryLock } from '../../kernel/pipeline/locks.ts';
import type { Rules } from '../../kernel/pipeline/model.ts';
import { Refusal } from '../../kernel/pipeline/refusal.ts';
import { seeAllRecords } from '../../kernel/pipeline/see-all-records.ts';
import { createTableStorage, type Storage } from '../../kernel/pipeline/storage.ts';
import { checkColumns, checkQuery, sortQuery } from './query.ts';

const views = resourceByName('views');
type Views = ReturnType<typeof declareViews>;
type ViewValues = ValuesOf<Views>;

const countViews: Statement = {
  name: 'count_views',
  text: 'SELECT count(*) FROM trellis.views WHERE organization_id = $1 AND owner_user_id = $2',
};

const table = createTableStorage(views);

export const viewStorage: Storage = {
  ...table,
  update: (change) => [step(seeAllRecords), ...table.update(change)],
};

/** Fields that say what a view shows. */
const contentFields: readonly FieldName<Views>[] = ['resource', 'query', 'columns'];

/** What is read when a view is created. */
type ViewReads = {
  /** The number of the user's views, read under a lock, so that each create counts the previous one. */
  readonly count?: readonly Step[];
};

export const viewRules: Rules<Views, ViewReads> = {
  reads: ({ organizationId, userId, id }) =>
    id === null
      ? {
          count: [
            advisoryLock(organizationId, views.name, userId ?? ''),
            step(countViews, [organizationId, userId]),
          ],
        }
      : {},
  create(values, { actor, rows }) {
    if (Number(rows.count?.rows[0]?.[0]) >= limits.views) {
      const detail = `A user has at most ${limits.views} views in an organization.`;
      return new Refusal(new Problem('quota_reached', detail));
    }
    const refused =
      checkContents(values) ??
      checkReading(values.resource, actor) ??
      (values.shared ? checkSharing(actor) : null);
    return refused ?? withChanges(withSortedQuery(values), { ownerUserId: actor.userId });
  },
  update(_before, patch, merged, { actor }) {
    // A view may name a filter that a later release has dropped. It can still be renamed.
    const isChanged = contentFields.some((field) => field in patch);
    const refused = isChanged ? (checkContents(merged) ?? checkReading(merged.resource, actor)) : null;
    return refused ?? { values: isChanged ? withSortedQuery(merged) : merged, events: ['updated'] };
  },
  changesSeen: (before, after) => before.shared || after?.shared === true,
  readers: readersOf,
  seeAll: seeAllRecords,
};

/** Who sees a view, as in the database. */
function readersOf({ shared, ownerUserId, resource }: ViewValues): string[] {
  return shared ? [ownerUserId, ...roles, `read:${resource}`] : [ownerUserId];
}

/** Sorted only once it has been checked: sorting decodes it, and encodes again what cannot be decoded. */
function withSortedQuery(values: ViewValues): ViewValues {
  return withChanges(values, { query: sortQuery(values.query) });
}

/** Refuses what the list of the resource does not have. */
function checkContents(values: ViewValues): Refusal | null {
  const resource = resourceByName(values.resource);
  const faults: Fault[] = [...checkQuery(resource, values.query), ...checkColumns(resource, values.columns)];
  const problem = problemOf(faults);
  return problem === null ? null : new Refusal(problem);
}

/** Refuses a view of a resource that the caller may not read. */
function checkReading(name: string, actor: Actor): Refusal | null {
  const { module, name: resource } = resourceByName(name);
  return refuseWithout(actor, { scopes: [], module, permission: { resource, action: 'read' } });
}

/** Refuses to share a new view without the right to; the pipeline checks it for existing views. */
function checkSharing(actor: Actor): Refusal | null {
  return refuseWithout(actor, {
    scopes: [],
    module: views.module,
    permission: { resource: views.name, action: 'publish' },
  });
}

function refuseWithout(actor: Actor, needed: Requirement): Refusal | null {
  const granted = findGrant(actor, needed);
  return granted instanceof Problem ? new Refusal(granted) : null;
}
