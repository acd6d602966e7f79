/**
 * Purges the records of the trash whose time is over. Each goes through the pipeline, so that its event and its removal are one; several nodes may
 * do so at the same time.
 */

import { Problem } from '@trellis/schema/problem.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { type Statement, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, text } from '../../kernel/database/row.ts';
import { type Models, modelOf } from '../../kernel/pipeline/model.ts';
import { planDuePurge } from '../../kernel/pipeline/write/trash-plans.ts';
import { write } from '../../kernel/pipeline/write/write.ts';

/** Records found at once. */
const batchRecords = 500;

const dueRow = defineRow({
  organizationId: text('t.organization_id'),
  resource: text('t.resource'),
  id: text('t.id'),
});
type Due = ReturnType<typeof dueRow.all>[number];
const findDue: Statement = {
  name: 'find_due_trash',
  text: `SELECT ${dueRow.list} FROM trellis.trash t WHERE t.purge_at <= $1 ORDER BY t.purge_at LIMIT ${batchRecords}`,
};

/**
 * Purges everything that is due.
 * @param worker pool of the role `trellis_worker`, which finds it
 * @param api pool of the role `trellis_api`, which removes it
 * @returns the number of records
 * @throws AggregateError after the others, when some could not be purged
 */
export async function purgeDueRecords(options: {
  readonly worker: Database;
  readonly api: Database;
  readonly models: Models;
  readonly nudge: () => void;
  readonly now: Date;
  readonly signal?: AbortSignal;
}): Promise<number> {
  const { worker, api, models, nudge, now, signal } = options;
  const instant = now.toISOString();
  let purged = 0;
  const failures: unknown[] = [];
  const purge = async ({ organizationId, resource, id }: Due): Promise<boolean> => {
    const plan = planDuePurge(modelOf(models, resource), { organizationId, id }, instant);
    const scope = { organizationId, userId: null };
    try {
      await write({ database: api, nudge }, { scope, requestId: newUuid(), plan, token: null });
      return true;
    } catch (error) {
      // Another node, or somebody who restored it, was first.
      if (error instanceof Problem && error.code === 'not_found') return false;
      throw error;
    }
  };
  for (;;) {
    const [found] = await worker.queryInBackground([step(findDue, [instant])]);
    const due = dueRow.all(found);
    for (const { organizationId, resource, id } of due) {
      if (signal?.aborted) return purged;
      try {
        if (await purge({ organizationId, resource, id })) purged += 1;
      } catch (error) {
        failures.push(error);
      }
    }
    // What could not be purged is tried again by the next sweep; of a whole batch, the others are reached then.
    if (due.length < batchRecords || failures.length > 0) break;
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} records of the trash could not be purged`);
  return purged;
}
