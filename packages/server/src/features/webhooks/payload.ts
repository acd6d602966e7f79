/**
 * The bodies of webhook calls. A thin event only says what happened. A full one contains the record, read at the moment of
 * sending on behalf of the endpoint's user: with the same row-level security, module and role checks as the user's own
 * requests, and only while the user may manage endpoints. That of a deletion contains the record as it was, while it is in the trash:
 * what was erased is nowhere.
 */

import { grantIn } from '@trellis/schema/rights/permissions.ts';
import { renderRecord } from '@trellis/schema/validation/values.ts';
import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, texts } from '../../kernel/database/row.ts';
import { toCloudEvent } from '../../kernel/events/cloud-event.ts';
import type { LoggedEvent } from '../../kernel/events/logged-event.ts';
import { roleColumn } from '../../kernel/identity/role.ts';
import type { Models } from '../../kernel/pipeline/model.ts';
import { decodeRecord } from '../../kernel/pipeline/storage.ts';
import { managesEndpoints } from './fan-out.ts';
import type { ClaimedDelivery } from './queue.ts';

export interface PayloadContext {
  /** Pool of the serving role, which reads on behalf of the endpoint's user. */
  readonly api: Database;
  readonly models: Models;
  /** Public origin of the server, without a trailing slash. */
  readonly origin: string;
}

const standingRow = defineRow({
  role: roleColumn(),
  modules: texts('o.modules'),
});
const readStanding: Statement = {
  name: 'webhook_person',
  text: `SELECT ${standingRow.list} FROM trellis.memberships m
    LEFT JOIN trellis.roles r ON r.organization_id = m.organization_id AND r.id = m.role_id
    JOIN trellis.users u ON u.id = m.user_id AND u.status = 'ACTIVE'
    JOIN trellis.organizations o ON o.id = m.organization_id AND o.status = 'ACTIVE'
    WHERE m.organization_id = $1 AND m.user_id = $2 AND m.status = 'ACTIVE'`,
};

/** The body of a call, as it is signed and sent. */
export async function buildPayload(context: PayloadContext, delivery: ClaimedDelivery): Promise<string> {
  const event = toCloudEvent(delivery.event, context.origin);
  if (delivery.payload !== 'FULL') return JSON.stringify(event);
  const record = await readAsPerson(context, delivery.event, delivery.actsFor);
  return JSON.stringify({ ...event, data: { ...event.data, record } });
}

/** The record of an event as the user may read it now, deleted ones in the trash; null when it is not there or not readable. */
async function readAsPerson(
  { api, models }: PayloadContext,
  { organizationId, subjectType, subjectId, parentId, type }: LoggedEvent,
  userId: string | null,
): Promise<Record<string, unknown> | null> {
  const model = [...models.values()].find(({ resource }) => resource.singular === subjectType);
  if (model === undefined || userId === null) return null;
  const { resource, storage, statements, trash } = model;
  const target = { organizationId, userId, parentId, id: subjectId };
  // A deletion that ended a publication has two events.
  const kept = trash === null || !/\.(deleted|unpublished)$/.test(type) ? [] : [trash.read(target)];
  const [standing, found, deleted] = await api.query({ organizationId, userId }, [
    step(readStanding, [organizationId, userId]),
    statements.read(target, 'working', 'full'),
    ...kept,
  ]);
  const person = standingRow.first(standing);
  const role = person?.role ?? null;
  if (person === undefined || role === null || !managesEndpoints(role.rights)) return null;
  if (grantIn(role.rights, resource.name, 'read') === null) return null;
  if (resource.module !== null && !person.modules.includes(resource.module)) return null;
  const row = found?.rows[0] ?? deleted?.rows[0];
  return row === undefined ? null : renderRecord(resource, decodeRecord(storage, row));
}
