/**
 * What changed lately, as people see it: the newest events of the log, joined to pieces of work. One person who changed records of one
 * kind without a long pause did one piece of work, however many events it has: an import is one line.
 */
import { type Row, type Statement, type Step, step } from '../database/batch.ts';
import { parseTextArray, parseTimestamp, textArray } from '../database/values.ts';

/** Newest positions of the log that are examined: what is older is in the log only. */
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

/** Of each piece of work as many rows as records are named. */
const readActivity: Statement = {
  name: 'activity',
  text: `
    WITH newest AS MATERIALIZED (
      SELECT e.position, split_part(e.type, '.', 2) AS action, e.subject_type, e.subject_id, e.parent_id, e.actor_user_id,
        e.occurred_at
      FROM trellis.event_positions p
      CROSS JOIN LATERAL (
        SELECT * FROM trellis.events i
        WHERE i.organization_id = $1 AND i.position > p.position - $2::bigint AND i.subject_type = ANY ($3::text[])
          AND ($4::text[] IS NULL OR i.type = ANY ($4) OR split_part(i.type, '.', 1) = ANY ($5::text[]))
        ORDER BY i.position DESC LIMIT ${examinedPositions}
      ) e
      WHERE p.organization_id = $1
    ), marked AS (
      SELECT *, occurred_at - lag(occurred_at) OVER (PARTITION BY actor_user_id, subject_type ORDER BY position) > ${pause} AS begins
      FROM newest
    ), pieces AS (
      SELECT *, count(*) FILTER (WHERE begins) OVER (PARTITION BY actor_user_id, subject_type ORDER BY position) AS piece
      FROM marked
    ), steps AS (
      SELECT actor_user_id, subject_type, piece, subject_id, parent_id, action, max(position) AS position,
        min(occurred_at) AS started_at, max(occurred_at) AS changed_at, count(*) AS events
      FROM pieces GROUP BY actor_user_id, subject_type, piece, subject_id, parent_id, action
    ), records AS (
      SELECT actor_user_id, subject_type, piece, subject_id, parent_id, array_agg(action ORDER BY position DESC) AS actions,
        max(position) AS position, min(started_at) AS started_at, max(changed_at) AS changed_at, sum(events) AS events
      FROM steps GROUP BY actor_user_id, subject_type, piece, subject_id, parent_id
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY actor_user_id, subject_type, piece ORDER BY position DESC) AS rank FROM records
    ), works AS (
      SELECT actor_user_id, subject_type, piece, max(position) AS position, min(started_at) AS started_at,
        max(changed_at) AS changed_at, sum(events) AS events, count(*) AS records
      FROM ranked GROUP BY actor_user_id, subject_type, piece ORDER BY max(position) DESC LIMIT $6
    )
    SELECT w.position, w.subject_type, w.actor_user_id, w.started_at, w.changed_at, w.events, w.records,
      (SELECT array_agg(a.action ORDER BY a.position DESC) FROM (
        SELECT s.action, max(s.position) AS position FROM steps s
        WHERE s.actor_user_id IS NOT DISTINCT FROM w.actor_user_id AND s.subject_type = w.subject_type AND s.piece = w.piece
        GROUP BY s.action) a),
      r.subject_id, r.parent_id, r.actions, r.changed_at
    FROM works w JOIN ranked r ON r.actor_user_id IS NOT DISTINCT FROM w.actor_user_id AND r.subject_type = w.subject_type
      AND r.piece = w.piece AND r.rank <= ${namedRecords}
    ORDER BY w.position DESC, r.rank`,
};

/** What is asked. */
export interface ActivityQuery {
  /** Singular names of the resources that the reader may see. */
  readonly subjectTypes: readonly string[];
  /** A type or pattern such as `article.*`; null for all. */
  readonly type: string | null;
  readonly limit: number;
}

/** The step that reads the newest pieces of work. `decodeActivity` decodes its result. */
export function activityStep(organizationId: string, { subjectTypes, type, limit }: ActivityQuery): Step {
  const isFamily = type?.endsWith('.*') === true;
  return step(readActivity, [
    organizationId,
    String(type === null ? examinedPositions : examinedPositionsOfTypes),
    textArray(subjectTypes),
    type === null ? null : textArray(isFamily ? [] : [type]),
    type === null ? null : textArray(isFamily ? [type.slice(0, -2)] : []),
    String(limit),
  ]);
}

/** The pieces of work, the newest first. */
export function decodeActivity(rows: readonly Row[]): readonly Work[] {
  const byWork = Map.groupBy(rows, ([position]) => position);
  return [...byWork.values()].flatMap((ofWork): readonly Work[] => {
    const [first] = ofWork;
    if (first === undefined) return [];
    const [, subjectType, userId, startedAt, changedAt, events, records, actions] = first;
    return [
      {
        subjectType: subjectType ?? '',
        userId: userId ?? null,
        actions: parseTextArray(actions ?? '{}'),
        startedAt: parseTimestamp(startedAt ?? ''),
        changedAt: parseTimestamp(changedAt ?? ''),
        events: Number(events),
        records: Number(records),
        newest: ofWork.map(([, , , , , , , , id, parentId, done, at]) => ({
          id: id ?? '',
          parentId: parentId ?? null,
          actions: parseTextArray(done ?? '{}'),
          changedAt: parseTimestamp(at ?? ''),
        })),
      },
    ];
  });
}
