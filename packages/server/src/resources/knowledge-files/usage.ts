/**
 * What refers to a knowledge file: records with its id in a field, by the statements that prevent its deletion, and articles whose text
 * mentions it. Row-level security decides which rows there are, and the rights of the caller which resources are read.
 */
import { articles } from '@trellis/schema/resources/articles.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { knowledgeFiles } from '@trellis/schema/resources/knowledge-files.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { step } from '../../database/batch.ts';
import type { Database, Scope } from '../../database/database.ts';
import { namingStatement, selectReferring } from '../../pipeline/write/usage.ts';

/** Records that are named. */
export const mostUses = 50;

/** A record that refers to a file. Ids are uuids. */
export interface FileUse {
  readonly resource: Resource;
  readonly id: string;
  readonly parentId: string | null;
  readonly title: string;
}

/** Articles with a version that readers or editors see, and whose text has the id of the file ($3), as it is written. */
const mentioning = `SELECT m.article_id FROM trellis.article_files m
  JOIN trellis.articles a ON a.organization_id = m.organization_id AND a.site_id = m.site_id AND a.id = m.article_id
  WHERE m.organization_id = $1 AND m.file = $3 AND m.number IN (a.working_version, a.published_version)`;

/** Who can refer to files: each with the statement that finds them. */
const referring = resources.flatMap((resource) => {
  const selects = selectReferring(resource, knowledgeFiles);
  const all = resource.name === articles.name ? [...selects, mentioning] : selects;
  if (all.length === 0) return [];
  const named = namingStatement(resource, `uses_of_files_${resource.name}`, all, mostUses + 1);
  return [{ ...named, isMentioning: all.length > selects.length }];
});

/**
 * Finds what refers to a file.
 * @param id of the file, a uuid
 * @param mayRead whether the caller may read a resource
 */
export async function findUses(
  database: Database,
  scope: Scope & { readonly organizationId: string },
  id: string,
  mayRead: (resource: Resource) => boolean,
): Promise<{ readonly uses: readonly FileUse[]; readonly hasMore: boolean }> {
  const readable = referring.filter(({ resource }) => mayRead(resource));
  if (readable.length === 0) return { uses: [], hasMore: false };
  const mentioned = encodeId(knowledgeFiles.idPrefix, id);
  const results = await database.query(
    scope,
    readable.map(({ statement, isMentioning }) =>
      step(statement, [scope.organizationId, id, ...(isMentioning ? [mentioned] : [])]),
    ),
  );
  const found = readable.flatMap(({ resource, row }, index) =>
    row.all(results[index]).map((use) => ({ resource, ...use })),
  );
  return { uses: found.slice(0, mostUses), hasMore: found.length > mostUses };
}
