/**
 * Recent activity: the newest events of the log, grouped into pieces of work. Consecutive changes by one person to records of
 * one kind, without a long pause, are one piece: an import is one line. Updates are pieces of their own: otherwise a
 * later one would give its time to all that was created.
 */
import { type Row, type Statement, step } from '../../kernel/database/batch.ts';
import type { Database, Scope } from '../../kernel/database/database.ts';
import { parseTextArray, parseTimestamp, textArray } from '../../kernel/database/values.ts';
import { BoundedMap } from '../../kernel/lib/bounded-map.ts';

/** Newest positions of the log that are examined first: they mostly hold as many pieces of work as are asked for. */
export const firstPositions = 2_000;
/** Newest positions of the log that are examined at most: what is older is in the log only. */
export const examinedPositions = 25_000;
/** The same where only events of certain types count. These may be all of them, so that of them no more are joined than of the newest. */
export const examinedPositionsOfTypes = 100_000;
/** Records of a piece of work that are named. */
export const namedRecords = 6;

/** A record of a piece of work, and what was done with it. Ids are uuids. */
interface ChangedRecord {
  readonly id: string;
  readonly parentId: string | null;
  /** The newest first, each once. */
  readonly actions: readonly string[];
  readonly changedAt: string;
}

/** What one person, or the system, did with records of one kind. */
export interface Work {
  /** Singular name of the resource. */
  readonly subjectType: string;
  /** Null for the system itself. */
  readonly userId: string | null;
  readonly actions: readonly string[];
  readonly startedAt: string;
  readonly changedAt: string;
  readonly events: number;
  readonly records: number;
  /** The newest ones, `namedRecords` at most. */
  readonly newest: readonly ChangedRecord[];
}

/** A pause after which the same kind of work is a new piece. */
const pause = `interval '30 minutes'`;
/** Stands for the system itself where columns are compared. */
const system = `'00000000-0000-0000-0000-000000000000'::uuid`;
/** What the result depends on besides the query: the newest position, and the names under which the caller reads (trellis.readers_of). */
const version = `format('%s %s', p.position, trellis.current_readers())`;

const readVersion: Statement = {
  name: 'activity_version',
  text: `SELECT ${version}, p.position FROM trellis.event_positions p WHERE p.organization_id = $1`,
};

/**
 * Of each piece of work as many rows as records are named. Events are first counted by half hours, which no pause divides: few rows are
 * left to be joined to pieces. A piece is whole if no event before the examined ones can belong to it: all of them were made before the
 * oldest examined one was logged.
 */
const readActivity: Statement = {
  name: 'activity',
  text: `
    WITH newest AS MATERIALIZED (
      SELECT e.position, split_part(e.type, '.', 2) AS action, e.subject_id, e.parent_id,
        coalesce(e.actor_user_id, ${system}) AS actor, e.occurred_at, e.logged_at,
        date_bin(${pause}, e.occurred_at, 'epoch') AS half_hour,
        e.subject_type || CASE split_part(e.type, '.', 2) WHEN 'updated' THEN '.updated' ELSE '' END AS kind
      FROM trellis.event_positions p
      CROSS JOIN LATERAL (
        SELECT * FROM trellis.events i
        WHERE i.organization_id = $1 AND i.position > p.position - $2::bigint AND i.subject_type = ANY ($3::text[])
          AND ($4::text[] IS NULL OR i.type = ANY ($4) OR split_part(i.type, '.', 1) = ANY ($5::text[]))
        ORDER BY i.position DESC LIMIT ${examinedPositions}
      ) e
      WHERE p.organization_id = $1
    ), steps AS MATERIALIZED (
      SELECT actor, kind, half_hour, action, max(position) AS position, min(occurred_at) AS started_at,
        max(occurred_at) AS changed_at, count(*) AS events
      FROM newest GROUP BY actor, kind, half_hour, action
    ), marked AS (
      SELECT actor, kind, half_hour, max(position) AS position, min(started_at) AS started_at, max(changed_at) AS changed_at,
        sum(events) AS events,
        min(started_at) - lag(max(changed_at)) OVER (PARTITION BY actor, kind ORDER BY half_hour) > ${pause} AS begins
      FROM steps GROUP BY actor, kind, half_hour
    ), pieces AS (
      SELECT *, count(*) FILTER (WHERE begins) OVER (PARTITION BY actor, kind ORDER BY half_hour) AS piece FROM marked
    ), works AS MATERIALIZED (
      SELECT actor, kind, array_agg(half_hour) AS half_hours, max(position) AS work, min(started_at) AS started_at,
        max(changed_at) AS changed_at, sum(events) AS events,
        min(started_at) - (SELECT min(logged_at) FROM newest) > ${pause} AS is_whole
      FROM pieces GROUP BY actor, kind, piece ORDER BY max(position) DESC LIMIT $6
    ), parts AS MATERIALIZED (
      SELECT work, actor, kind, unnest(half_hours) AS half_hour FROM works
    ), changes AS MATERIALIZED (
      -- An inner join would be expected to find one row, and what follows would be planned for one.
      SELECT work, subject_id, parent_id, action, position, occurred_at
      FROM newest LEFT JOIN parts USING (actor, kind, half_hour) WHERE coalesce(work, 0) > 0
    ), records AS MATERIALIZED (
      SELECT work, subject_id, parent_id, max(position) AS position, max(occurred_at) AS changed_at
      FROM changes GROUP BY work, subject_id, parent_id
    ), counts AS (
      SELECT work, count(*) AS records FROM records GROUP BY work
    ), named AS MATERIALIZED (
      SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY work ORDER BY position DESC) AS rank FROM records) r
      WHERE rank <= ${namedRecords}
    ), done AS (
      SELECT work, subject_id, array_agg(action ORDER BY position DESC) AS done FROM (
        SELECT work, subject_id, action, max(c.position) AS position FROM changes c JOIN named USING (work, subject_id)
        GROUP BY work, subject_id, action) a
      GROUP BY work, subject_id
    ), actions AS (
      SELECT work, array_agg(action ORDER BY position DESC) AS actions FROM (
        SELECT work, action, max(position) AS position FROM steps JOIN parts USING (actor, kind, half_hour)
        GROUP BY work, action) a
      GROUP BY work
    ), found AS (
      SELECT w.*, c.records, a.actions, n.subject_id, n.parent_id, d.done, n.changed_at AS record_changed_at, n.rank
      FROM works w JOIN counts c USING (work) JOIN actions a USING (work) JOIN named n USING (work) JOIN done d USING (work, subject_id)
    )
    SELECT ${version}, f.is_whole, f.work, split_part(f.kind, '.', 1), nullif(f.actor, ${system}), f.started_at, f.changed_at, f.events, f.records,
      f.actions, f.subject_id, f.parent_id, f.done, f.record_changed_at
    FROM trellis.event_positions p LEFT JOIN found f ON true WHERE p.organization_id = $1
    ORDER BY f.work DESC, f.rank`,
};

/** What is asked. */
export interface ActivityQuery {
  /** Singular names of the resources that the reader may see. */
  readonly subjectTypes: readonly string[];
  /** A type or pattern such as `article.*`; null for all. */
  readonly type: string | null;
  readonly limit: number;
}

/** What was found in logs that may not have changed since, by reader and query. */
export type KnownActivity = BoundedMap<string, Known>;

interface Known {
  readonly version: string;
  /** Of `performance.now`. */
  readonly readAt: number;
  readonly works: readonly Work[];
}

/** Each has at most 50 pieces of work with six records: some 100 kB at most. */
const mostKnown = 200;
/** Old weeks of the log are dropped, which its newest position does not tell. */
const knownForMs = 300_000;

export function knownActivity(): KnownActivity {
  return new BoundedMap(mostKnown);
}

/**
 * Reads the newest pieces of work, the newest first. Nothing is examined while the log and the names under which the caller reads are as
 * before, which the database says at each call.
 */
export async function readWorks(
  database: Database,
  scope: Scope,
  query: ActivityQuery,
  known: KnownActivity,
): Promise<readonly Work[]> {
  const { organizationId, userId } = scope;
  const { subjectTypes, type, limit } = query;
  const key = JSON.stringify([organizationId, userId, type, limit, subjectTypes]);
  const [current] = await database.query(scope, [step(readVersion, [organizationId])]);
  const [now, latest] = current?.rows[0] ?? [];
  // Nothing was ever logged.
  if (now === undefined || now === null) return [];
  const before = known.get(key);
  if (before?.version === now && performance.now() - before.readAt < knownForMs) return before.works;
  const readAt = performance.now();
  const { works, version } = await examine(database, scope, query, Number(latest));
  // With the version of the same snapshot: what the caller reads as may have changed since it was asked for.
  known.set(key, { version, readAt, works });
  return works;
}

/** Examines few positions, and all of them only if the pieces of work found among the few may be incomplete. */
async function examine(database: Database, scope: Scope, query: ActivityQuery, latest: number) {
  const all = query.type === null ? examinedPositions : examinedPositionsOfTypes;
  const few = await examineNewest(database, scope, query, firstPositions);
  const isEnough = latest <= firstPositions || (few.works.length === query.limit && few.areWhole);
  return isEnough ? few : examineNewest(database, scope, query, all);
}

async function examineNewest(
  database: Database,
  scope: Scope,
  { subjectTypes, type, limit }: ActivityQuery,
  positions: number,
) {
  const isFamily = type?.endsWith('.*') === true;
  const values = [
    scope.organizationId,
    String(positions),
    textArray(subjectTypes),
    type === null ? null : textArray(isFamily ? [] : [type]),
    type === null ? null : textArray(isFamily ? [type.slice(0, -2)] : []),
    String(limit),
  ];
  const [result] = await database.query(scope, [step(readActivity, values)]);
  const rows = result?.rows ?? [];
  const found = rows.filter(([, , position]) => position !== null);
  return {
    version: rows[0]?.[0] ?? '',
    works: decodeWorks(found),
    areWhole: found.every(([, isWhole]) => isWhole === 't'),
  };
}

/** The pieces of work, the newest first. */
function decodeWorks(rows: readonly Row[]): readonly Work[] {
  const byWork = Map.groupBy(rows, ([, , position]) => position);
  return [...byWork.values()].flatMap((ofWork): readonly Work[] => {
    const [first] = ofWork;
    if (first === undefined) return [];
    const [, , , subjectType, userId, startedAt, changedAt, events, records, actions] = first;
    return [
      {
        subjectType: subjectType ?? '',
        userId: userId ?? null,
        actions: parseTextArray(actions ?? '{}'),
        startedAt: parseTimestamp(startedAt ?? ''),
        changedAt: parseTimestamp(changedAt ?? ''),
        events: Number(events),
        records: Number(records),
        newest: ofWork.map(([, , , , , , , , , , id, parentId, done, at]) => ({
          id: id ?? '',
          parentId: parentId ?? null,
          actions: parseTextArray(done ?? '{}'),
          changedAt: parseTimestamp(at ?? ''),
        })),
      },
    ];
  });
}
