/** Lists the trash: the deleted records that the caller could delete, newest first. */

import { resourceByName, resources } from '@trellis/schema/resources/index.ts';
import { recordPath } from '@trellis/schema/resources/record-path.ts';
import { goesToTrash, type Resource } from '@trellis/schema/resources/resource.ts';
import { rightFor } from '@trellis/schema/rights/check-right.ts';
import { prefixOf, userPrefix } from '@trellis/schema/validation/values.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { foldText } from '@trellis/schema/values/text.ts';
import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database, Scope } from '../../kernel/database/database.ts';
import { defineRow, instant, nullable, text } from '../../kernel/database/row.ts';
import { textArray } from '../../kernel/database/values.ts';
import { type Actor, findGrant } from '../../kernel/identity/actor.ts';
import type { Position } from '../../kernel/pipeline/cursor.ts';

/** The resources whose deleted records are kept. */
export const keptResources: readonly Resource[] = resources.filter(goesToTrash);

const entryRow = defineRow({
  resource: text('t.resource'),
  id: text('t.id'),
  parentId: nullable(text('t.parent_id')),
  title: text('t.title'),
  deletedBy: nullable(text('t.deleted_by')),
  deletedAt: instant('t.deleted_at'),
  purgeAt: instant('t.purge_at'),
});

/** A record of the trash. Ids are uuids, instants RFC 3339. */
export type TrashEntry = ReturnType<typeof entryRow.read>;

// One walk along the index for each resource, because what the caller may delete differs between them.
const list: Statement = {
  name: 'list_trash',
  text: `SELECT ${entryRow.list} FROM unnest($2::text[], $3::boolean[]) AS w (resource, own)
    CROSS JOIN LATERAL (
      SELECT * FROM trellis.trash k
      WHERE k.organization_id = $1 AND k.resource = w.resource AND NOT w.own AND k.purge_at > clock_timestamp()
        AND ($5::timestamptz IS NULL OR (k.deleted_at, k.id) < ($5, $6::uuid))
      ORDER BY k.deleted_at DESC, k.id DESC LIMIT $7
    ) t
    UNION ALL
    SELECT ${entryRow.list} FROM unnest($2::text[], $3::boolean[]) AS w (resource, own)
    CROSS JOIN LATERAL (
      SELECT * FROM trellis.trash k
      WHERE k.organization_id = $1 AND k.resource = w.resource AND w.own AND k.created_by = $4 AND k.purge_at > clock_timestamp()
        AND ($5::timestamptz IS NULL OR (k.deleted_at, k.id) < ($5, $6::uuid))
      ORDER BY k.deleted_at DESC, k.id DESC LIMIT $7
    ) t
    ORDER BY 6 DESC, 2 DESC LIMIT $7`,
};

/** Records that a page with a condition reads at once, and in all: the title and who deleted a record have no index. */
const windowRecords = 1_000;
export const mostExamined = 10_000;

/** What of the trash is asked for. */
export interface TrashQuery {
  /** Name of a resource; null for all. */
  readonly resource: string | null;
  /** A text whose words the title has; null for any title. */
  readonly search: string | null;
  /** Uuid of who deleted the records; null for anybody. */
  readonly deletedBy: string | null;
  readonly after: Position | null;
  readonly limit: number;
}

export interface TrashPage {
  readonly entries: readonly TrashEntry[];
  readonly next: Position | null;
}

/**
 * One page of what the caller could delete, newest first. With a condition it ends after `mostExamined` records, so it may have fewer entries
 * than `limit`, although others follow.
 */
export async function listTrash(
  database: Database,
  scope: Scope,
  actor: Actor,
  query: TrashQuery,
): Promise<TrashPage> {
  const { resource, search, deletedBy, limit } = query;
  const grants = keptResources.flatMap((kept) => {
    const grant = findGrant(actor, rightFor(kept, 'delete'));
    const isWanted = resource === null || kept.name === resource;
    return isWanted && typeof grant === 'string' ? [{ name: kept.name, isOwn: grant === 'own' }] : [];
  });
  if (grants.length === 0) return { entries: [], next: null };
  const matches = conditionOf(search, deletedBy);
  const window = search === null && deletedBy === null ? limit : windowRecords;
  const entries: TrashEntry[] = [];
  let position = query.after;
  for (let examined = 0; examined < mostExamined; examined += window) {
    const [deletedAt = null, id = null] = position ?? [];
    const [found] = await database.query(scope, [
      step(list, [
        scope.organizationId,
        textArray(grants.map(({ name }) => name)),
        `{${grants.map(({ isOwn }) => isOwn).join(',')}}`,
        actor.userId,
        deletedAt,
        id,
        String(window + 1),
      ]),
    ]);
    const rows = entryRow.all(found);
    for (const [index, entry] of rows.slice(0, window).entries()) {
      position = [entry.deletedAt, entry.id];
      if (matches(entry)) entries.push(entry);
      if (entries.length === limit) return { entries, next: index + 1 < rows.length ? position : null };
    }
    if (rows.length <= window) return { entries, next: null };
  }
  return { entries, next: position };
}

/** Whether a record fulfils the conditions. A title has a text if it has all of its words, in any order, ignoring case and accents. */
function conditionOf(search: string | null, deletedBy: string | null): (entry: TrashEntry) => boolean {
  const words =
    search === null
      ? null
      : foldText(search)
          .split(/\s+/u)
          .filter((word) => word !== '');
  return (entry) => {
    if (deletedBy !== null && entry.deletedBy !== deletedBy) return false;
    if (words === null) return true;
    const title = foldText(entry.title);
    return words.length > 0 && words.every((word) => title.includes(word));
  };
}

/** A record of the trash as the API returns it. */
export function renderEntry(entry: TrashEntry, origin: string): Record<string, unknown> {
  const resource = resourceByName(entry.resource);
  const { parent, idPrefix } = resource;
  const { parentId, deletedBy } = entry;
  return {
    id: encodeId(idPrefix, entry.id),
    resource: entry.resource,
    title: entry.title,
    url: `${origin}${recordPath(resource, parentId, entry.id)}`,
    parentId: parent === null || parentId === null ? null : encodeId(prefixOf(parent.resource), parentId),
    deletedBy: deletedBy === null ? null : encodeId(userPrefix, deletedBy),
    deletedAt: entry.deletedAt,
    purgeAt: entry.purgeAt,
  };
}
