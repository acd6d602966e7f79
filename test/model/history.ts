/** The model's rules of history: what each change has replaced, and every state of a record, as far as a member could see it. */
import { isDeepStrictEqual } from 'node:util';
import { flattenFields } from '@trellis/schema/resources/resource.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import { type Conversation, expectEqual } from './conversation.ts';
import { isVisible } from './files.ts';
import type { User } from './organizations.ts';
import { pathOf } from './requests.ts';
import { type ModelRecord, render, type State } from './state.ts';

/** A member of `fields`, as the API returns it. */
interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly offset: number | null;
}

/** Compares the history of a record, and each of its states, with the model. */
export async function compareHistory(
  conversation: Conversation,
  state: State,
  user: User,
  record: ModelRecord,
): Promise<void> {
  const past = state.past.get(record.id) ?? [];
  const path = pathOf(record);
  const response = await conversation.send(user, 'GET', `${path}/history?limit=100`);
  expectEqual(response.status, 200, `status, with ${response.text}`);
  const items: { version: number; fields: FieldChange[] }[] = response.json.items;
  const client = encodeId('client', state.organization.clientUuid);
  const seen = past.flatMap((after, index) => {
    const before = past[index - 1] ?? null;
    if (before !== null && !(isVisible(user, before) && isVisible(user, after))) return [];
    return [{ before, after }];
  });
  expectEqual(
    items.map(({ fields: _, ...item }) => item),
    seen
      .map(({ before, after }) => ({
        version: after.version,
        action: before === null ? 'created' : 'updated',
        changedAt: after.updatedAt,
        changedBy: after.updatedBy,
        client: before === null ? null : client,
      }))
      .reverse(),
    'history',
  );
  for (const { before, after } of seen) {
    const item = items.find(({ version }) => version === after.version);
    if (before === null) expectEqual(item?.fields, [], 'values of a creation');
    else compareFields(item?.fields ?? [], before, after);
  }
  // A state is known if everything since is.
  let isKnown = true;
  for (const [index, then] of [...past.entries()].reverse()) {
    isKnown &&= index === past.length - 1 || seen.some(({ after }) => after.version === then.version + 1);
    // Who changed it last, and when, is part of the state.
    const isSeen =
      isKnown && (index === past.length - 1 || index === 0 || seen.some(({ after }) => after === then));
    const asOf = await conversation.send(user, 'GET', `${path}/history/${then.version}`);
    expectEqual(asOf.status, isSeen ? 200 : 404, `status of version ${then.version}, with ${asOf.text}`);
    if (isSeen) expectEqual(asOf.json, render(then), `version ${then.version}`);
  }
}

function compareFields(fields: readonly FieldChange[], before: ModelRecord, after: ModelRecord): void {
  const changed = flattenFields(before.resource)
    .map(([name]) => name)
    .filter((name) => !isDeepStrictEqual(before.fields[name] ?? null, after.fields[name] ?? null));
  expectEqual(
    fields.map(({ field }) => field),
    changed,
    'changed fields',
  );
  for (const { field, before: old, after: now, offset } of fields) {
    const was = before.fields[field] ?? null;
    const is = after.fields[field] ?? null;
    if (offset === null) expectEqual([old, now], [was, is], `values of ${field}`);
    else {
      const text = String(was);
      const part = String(old);
      expectEqual(text.slice(offset, offset + part.length), part, `old part of ${field}`);
      expectEqual(
        text.slice(0, offset) + String(now) + text.slice(offset + part.length),
        is,
        `new part of ${field}`,
      );
    }
  }
}
