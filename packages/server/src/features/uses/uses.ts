/**
 * What refers to a record: records with its id in a field or a side table, by the statements that prevent its deletion, and what else a
 * resource counts as a use. Row-level security decides which rows there are, and the rights of the caller which resources are read.
 */
import { resources } from '@trellis/schema/resources/index.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { step } from '../../kernel/database/batch.ts';
import type { Database, Scope } from '../../kernel/database/database.ts';
import { namingStatement, type Referring, selectReferring } from '../../kernel/pipeline/write/usage.ts';

/** Records that are named. */
export const mostUses = 50;

/** A record that refers to another one. Ids are uuids. */
interface Use {
  readonly resource: Resource;
  readonly id: string;
  readonly parentId: string | null;
  readonly title: string;
  /** Whether readers see that it does; null for records that are not published. */
  readonly isPublished: boolean | null;
  /** Whether the other record cannot be deleted because of it. */
  readonly preventsDeletion: boolean;
}

/** Records of a resource that use others without referring to them in a field. */
interface FurtherUse {
  readonly resource: Resource;
  /** Its third parameter is the id of the record that is used, as it is written. */
  readonly referring: Referring;
}

/**
 * Finds what refers to a record.
 * @param id of the record, a uuid
 * @param mayRead whether the caller may read a resource
 */
export type FindUses = (
  database: Database,
  scope: Scope & { readonly organizationId: string },
  id: string,
  mayRead: (resource: Resource) => boolean,
) => Promise<{ readonly uses: readonly Use[]; readonly hasMore: boolean }>;

/** Creates the function that finds what refers to records of a resource, which have no parent in common with those that do. */
export function createFindUses(target: Resource, further: FurtherUse | null = null): FindUses {
  const referring = resources.flatMap((resource) => {
    const isFurther = further?.resource.name === resource.name;
    const ways = [...selectReferring(resource, target), ...(isFurther ? [further.referring] : [])];
    if (ways.length === 0) return [];
    const name = `uses_of_${target.name}_${resource.name}`;
    return [{ ...namingStatement(resource, name, ways, mostUses + 1), isFurther }];
  });
  return async (database, scope, id, mayRead) => {
    const readable = referring.filter(({ resource }) => mayRead(resource));
    if (readable.length === 0) return { uses: [], hasMore: false };
    const written = encodeId(target.idPrefix, id);
    const results = await database.query(
      scope,
      readable.map(({ statement, isFurther }) =>
        step(statement, [scope.organizationId, id, ...(isFurther ? [written] : [])]),
      ),
    );
    const found = readable.flatMap(({ resource, row }, index) =>
      row.all(results[index]).map((use) => ({ resource, ...use })),
    );
    return { uses: found.slice(0, mostUses), hasMore: found.length > mostUses };
  };
}
