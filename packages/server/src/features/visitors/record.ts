/**
 * Reading and erasing visitors. Erasure is a write like any other: it goes through the pipeline with an idempotency key,
 * current authorization and an event.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { visitors } from '@trellis/schema/resources/visitors.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, instant, number, text } from '../../kernel/database/row.ts';
import { claimedCondition } from '../../kernel/pipeline/locks.ts';
import { definePlan } from '../../kernel/pipeline/write/define-plan.ts';
import type { Plan, Written } from '../../kernel/pipeline/write/plan.ts';

/** A visitor as it was last identified. Instants are RFC 3339 in UTC. */
export interface VisitorRecord {
  readonly visitorId: string;
  /** Of the newest identify call. */
  readonly requestId: string;
  readonly confidence: { readonly score: number };
  readonly browser: { readonly name: string; readonly version: string };
  readonly device: { readonly type: string };
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
}

/** Which visitor of which organization; uuids. */
export interface VisitorTarget {
  readonly organizationId: string;
  readonly visitorId: string;
}

const visitorRow = defineRow({
  version: number('v.version'),
  firstSeenAt: instant('v.first_seen_at'),
  lastSeenAt: instant('v.last_seen_at'),
  requestId: text('i.request_id'),
  score: number('i.score'),
  browserName: text('i.browser_name'),
  browserVersion: text('i.browser_version'),
  deviceType: text('i.device_type'),
});
/** Expired rows are ignored, whether or not they have been deleted yet. */
const readStatement: Statement = {
  name: 'visitor_read',
  text: `SELECT ${visitorRow.list}
    FROM trellis.visitors v CROSS JOIN LATERAL (
      SELECT * FROM trellis.identifications i
      WHERE i.organization_id = $1 AND i.visitor_id = v.id AND i.expires_at > clock_timestamp()
      ORDER BY i.id DESC LIMIT 1) i
    WHERE v.organization_id = $1 AND v.id = $2 AND v.expires_at > clock_timestamp()`,
};
/** Has the columns that `decodeRecord` expects; a visitor has no creating user. */
const lockStatement: Statement = {
  name: 'visitor_lock',
  text: `SELECT id, version, first_seen_at, last_seen_at, NULL, NULL, NULL FROM trellis.visitors
    WHERE organization_id = $1 AND id = $2 AND expires_at > clock_timestamp() AND ${claimedCondition} FOR UPDATE`,
};
const eraseIdentifications: Statement = {
  name: 'visitor_erase_identifications',
  text: 'DELETE FROM trellis.identifications WHERE organization_id = $1 AND visitor_id = $2',
};
const eraseVisitor: Statement = {
  name: 'visitor_erase',
  text: 'DELETE FROM trellis.visitors WHERE organization_id = $1 AND id = $2',
};

/**
 * The visitor with its version, which rises with every identification.
 * @throws Problem not_found, also when its newest identification has expired
 */
export async function readVisitor(
  database: Database,
  { organizationId, visitorId }: VisitorTarget,
): Promise<{ version: number; record: VisitorRecord }> {
  const [found] = await database.query({ organizationId, userId: null }, [
    step(readStatement, [organizationId, visitorId]),
  ]);
  const visitor = visitorRow.first(found);
  if (visitor === undefined) throw new Problem('not_found');
  const { version, requestId, score, firstSeenAt, lastSeenAt } = visitor;
  return {
    version,
    record: {
      visitorId: encodeId(visitors.idPrefix, visitorId),
      requestId,
      confidence: { score },
      browser: { name: visitor.browserName, version: visitor.browserVersion },
      device: { type: visitor.deviceType },
      firstSeenAt,
      lastSeenAt,
    },
  };
}

/** A visitor is not a resource: browsers create it, and nobody updates it. */
const written: Written = {
  resource: {
    name: 'visitors',
    scope: 'visitors',
    module: 'visitors',
    idPrefix: visitors.idPrefix,
    table: 'visitors',
    parent: null,
  },
  storage: { columns: [] },
};

/** Plans the erasure of a visitor with all identifications. The event says that it happened, and nothing else. */
export function planErasure({ organizationId, visitorId }: VisitorTarget): Plan<'erasure'> {
  return definePlan({
    kind: 'erasure',
    model: written,
    lock: [step(lockStatement, [organizationId, visitorId])],
    reads: {},
    decide({ instant }, before) {
      return {
        steps: [
          step(eraseIdentifications, [organizationId, visitorId]),
          step(eraseVisitor, [organizationId, visitorId]),
        ],
        events: [
          {
            type: 'visitor.erased',
            subjectType: visitors.singular,
            subjectId: visitorId,
            parentId: null,
            subjectVersion: before.version + 1,
            changedFields: [],
            readers: null,
            occurredAt: instant,
          },
        ],
        response: { status: 204, location: null, etag: null, body: null },
        shown: { recordId: visitorId, as: 'other' },
      };
    },
    replay: null,
    usages: () => [],
  });
}
