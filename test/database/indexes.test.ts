/**
 * Each index costs every write of its table, so each has a reader: a sort or a filter that a resource declares, a foreign key whose target
 * is deleted, a unique value, or what is listed here.
 */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { filtersOf } from '@trellis/schema/resources/filters.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { hasOperation, type Resource } from '@trellis/schema/resources/resource.ts';
import { createModels } from '@trellis/server/features.ts';
import { columnName } from '@trellis/server/kernel/pipeline/storage.ts';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let admin: pg.Client;
before(async () => {
  database = await createTestDatabase();
  admin = new pg.Client({ connectionString: database.adminUrl });
  await admin.connect();
});
after(async () => {
  await admin.end();
  await database.drop();
});

/** What reads the indexes that no declaration and no foreign key needs. */
const others: Readonly<Record<string, string>> = {
  article_files_version: 'the files that a version mentions, when its text changes or it is deleted',
  article_versions_published_at: 'what was published lately of the articles of somebody, on the home page',
  article_versions_published_seen: 'lists of what readers see, by the time of its last change',
  article_versions_published_title: 'lists of what readers see, by title',
  article_versions_scheduled: 'scheduled articles on the home page and in the calendar',
  events_occurred_at: 'the event log of a period, and deliveries that are sent again',
  events_subject: 'the history of a record',
  extraction_jobs_available_at: 'organizations with due extractions',
  extraction_jobs_organization: 'due extractions of an organization',
  idempotency_keys_created_at: 'the sweep of stored responses',
  idempotency_keys_subject: 'stored bodies about a deleted record',
  identifications_counted: 'visits by day and site',
  identifications_expires_at: 'the sweep of identifications',
  invitations_mail_hash: 'the link of a mail',
  invitations_secret_hash: 'the link that was shown',
  issues_title: 'lists of issues by title, or by what stands for it',
  knowledge_files_pictures: 'pictures among other files',
  knowledge_files_sha256: 'whether a content of the store is still used',
  knowledge_pages_terms: 'words of files, by page',
  knowledge_pages_terms_beyond: 'words beyond the indexed beginning of a file',
  picture_renditions_made_at: 'the oldest renditions, which make room for new ones',
  picture_renditions_sha256: 'whether a content of the store is still used',
  plants_creation: 'the list of plants',
  publishable_key_origins_origin: 'whether an origin is known to any key',
  publishable_keys_key: 'the key that a browser presents',
  search_bodies_terms: 'words of long texts',
  search_marks_available_at: 'due index jobs',
  search_readers_newest: 'the newest restricted records of a reader',
  search_records_newest: 'the newest records in searches',
  search_records_terms: 'words of short texts, and parts of names, titles, numbers and addresses',
  sessions_expires_at: 'the sweep of sessions',
  sign_in_challenges_expires_at: 'the sweep of challenges',
  sign_in_delays_updated_at: 'the sweep of delays',
  sign_in_links_expires_at: 'the sweep of links',
  timers_articles: 'articles that are due',
  timers_files: 'files that expire',
  tokens_secret_hash: 'the token that a client presents',
  tokens_session_id: 'tokens of a session',
  trash_created_by: 'the trash of somebody who may delete only their own',
  trash_deleted_at: 'the trash, the newest deletion first',
  trash_purge_at: 'deleted records whose retention has ended',
  trash_sha256: 'whether a content of the store is still used',
  visitors_expires_at: 'the sweep of visitors',
  visitors_seen: 'the list of the visitors of a site',
  visitors_signals: 'visitors with the same signals',
  webhook_deliveries_created_at: 'the sweep of deliveries',
  webhook_deliveries_due: 'due deliveries',
  webhook_deliveries_leased: 'deliveries whose lease has expired',
  webhook_deliveries_newest: 'the deliveries of an endpoint',
  webhook_deliveries_subject: 'deliveries about a deleted record',
  webhook_deliveries_tests: 'due test calls, which go first',
  webhook_deliveries_unsettled: 'deliveries of an endpoint that did not succeed',
  webhook_subscriptions_acts_for: 'endpoints that act for an account',
};

interface Index {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly isUnique: boolean;
}

/** The indexes that belong to no constraint. */
async function readIndexes(): Promise<Index[]> {
  const { rows } = await admin.query(
    `SELECT c.relname::text AS name, t.relname::text AS table, i.indisunique AS "isUnique",
       ARRAY(SELECT pg_get_indexdef(i.indexrelid, k, true)
         || CASE i.indcollation[k - 1] WHEN 'trellis.alphabetical'::regcollation THEN ' COLLATE alphabetical' ELSE '' END FROM generate_series(1, i.indnkeyatts) AS k ORDER BY k) AS columns
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
     WHERE t.relnamespace = 'trellis'::regnamespace AND NOT c.relispartition
       AND NOT EXISTS (SELECT FROM pg_constraint o WHERE o.conindid = i.indexrelid AND o.contype IN ('p', 'u')) ORDER BY 1`,
  );
  return rows;
}

/**
 * The columns of each foreign key by table, sorted, unless a primary key or a unique value begins with them. The key of a parent is not among
 * them: lists are below it, so their indexes begin with it.
 */
async function readForeignKeys(): Promise<ReadonlySet<string>> {
  const { rows } = await admin.query<{ key: string }>(
    `WITH keys AS (
       SELECT t.relname, o.contype, o.conkey, (SELECT string_agg(a.attname, ',' ORDER BY a.attname) FROM pg_attribute a
         WHERE a.attrelid = o.conrelid AND a.attnum = ANY (o.conkey)) AS columns
       FROM pg_constraint o JOIN pg_class t ON t.oid = o.conrelid WHERE t.relnamespace = 'trellis'::regnamespace
     )
     SELECT f.relname || ':' || f.columns AS key FROM keys f WHERE f.contype = 'f' AND NOT EXISTS (
       SELECT FROM keys k WHERE k.relname = f.relname AND k.contype IN ('p', 'u')
         AND k.conkey[1:cardinality(f.conkey)] @> f.conkey)`,
  );
  const keys = new Set(rows.map(({ key }) => key));
  for (const { table, parent } of resources)
    if (parent !== null) keys.delete(`${table}:${['organization_id', parent.column].toSorted().join()}`);
  return keys;
}

/** The beginnings of indexes that the lists of a resource read, as `table:columns`. */
function readByLists(resource: Resource): string[] {
  if (!hasOperation(resource, 'list')) return [];
  const place = ['organization_id', ...(resource.parent === null ? [] : [resource.parent.column])];
  const optional = (field: string) => `COALESCE(${columnName(field)}, '-infinity'::timestamp with time zone)`;
  const ordered = [
    ...['createdAt', 'updatedAt'].map((field) => [columnName(field), 'id']),
    [`${columnName(resource.titleField)} COLLATE alphabetical`, 'id'],
    ...(resource.sortFields ?? []).map((field) => [optional(field), 'id']),
  ];
  // What a field has by its kind walks an order instead: `name[exists]`, `name[contains]`, `name[gte]`.
  const filtered = Object.entries(filtersOf(resource)).flatMap(([name, filter]) =>
    'field' in filter && !name.endsWith(']') && (filter.kind !== 'choice' || filter.isIndexed === true)
      ? [[columnName(filter.field)]]
      : [],
  );
  return [
    ...[...ordered, ...filtered].map((columns) => `${resource.table}:${[...place, ...columns].join()}`),
    ...filtered.map((columns) => `${resource.table}:organization_id,${columns.join()}`),
  ];
}

/** The names of the indexes that neither lists, foreign keys nor unique values need. */
async function findUnexplained(): Promise<string[]> {
  const keys = await readForeignKeys();
  const lists = [...createModels().values()].flatMap(({ resource }) => readByLists(resource));
  const isNeeded = ({ table, columns, isUnique }: Index) =>
    isUnique ||
    lists.some((beginning) => `${table}:${columns.join()},`.startsWith(`${beginning},`)) ||
    columns.some((_, index) =>
      keys.has(
        `${table}:${columns
          .slice(0, index + 1)
          .toSorted()
          .join()}`,
      ),
    );
  return (await readIndexes()).filter((index) => !isNeeded(index)).map(({ name }) => name);
}

test('each index serves a list, a foreign key, a unique value, or what is named here', async () => {
  assert.deepEqual((await findUnexplained()).toSorted(), Object.keys(others).toSorted());
});

test('an index without a reader is found', async () => {
  await admin.query('CREATE INDEX unread ON trellis.articles (organization_id, working_version)');
  assert.ok((await findUnexplained()).includes('unread'));
  await admin.query('DROP INDEX trellis.unread');
  const cover = (title: string) =>
    `CREATE INDEX cover ON trellis.articles (organization_id, site_id, ${title}, id)`;
  await admin.query(cover('title COLLATE trellis.alphabetical'));
  assert.ok(!(await findUnexplained()).includes('cover'), 'lists are sorted by title');
  await admin.query('DROP INDEX trellis.cover');
  await admin.query(cover('title'));
  assert.ok((await findUnexplained()).includes('cover'), 'no list is sorted by code points');
});
