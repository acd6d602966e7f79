/**
 * Rules of statuses, for all resources: a status changes only by the moves that its field declares, and what readers see
 * changes only by those who may publish.
 */
import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { changedFields, type Values } from '@trellis/schema/validation/values.ts';
import type { Model, RuleContext } from './model.ts';

/** Faults of statuses that a new record may not have. */
export function checkInitial(resource: Resource, values: Values): Fault[] {
  return flattenFields(resource).flatMap(([name, { moves }]) => {
    if (moves === null || moves.initial.includes(String(values[name]))) return [];
    const allowed = moves.initial.join(' or ');
    const detail = `A new ${resource.singular} is ${allowed}. Change the status by a PATCH.`;
    return [{ pointer: `/${name}`, code: 'status_not_allowed', detail }];
  });
}

/**
 * Checks every status that changes.
 * @throws Problem invalid_transition with the allowed statuses; insufficient_scope or permission_denied for a move that
 *   takes the right to publish
 */
export function checkMoves(resource: Resource, before: Values, after: Values, context: RuleContext): void {
  for (const [name, { moves }] of flattenFields(resource)) {
    if (moves === null || before[name] === after[name]) continue;
    const from = String(before[name]);
    const to = String(after[name]);
    const allowed = moves.allowed[from] ?? [];
    if (!allowed.includes(to)) throw invalidMove(name, from, to, allowed);
    if (moves.published.includes(from) || moves.published.includes(to)) context.requirePublish();
  }
}

/**
 * Demands the right to publish for a change of a record that readers see.
 * @param after null for a deletion
 * @throws Problem insufficient_scope, permission_denied
 */
export function checkSeen(
  { resource, rules }: Model,
  before: Values,
  after: Values | null,
  context: RuleContext,
): void {
  const changesSeen = rules.changesSeen ?? ((old, next) => changesPublished(resource, old, next));
  if (changesSeen(before, after)) context.requirePublish();
}

/** Whether a record with a status that readers see something by is changed or deleted. */
function changesPublished(resource: Resource, before: Values, after: Values | null): boolean {
  const isSeen = flattenFields(resource).some(([name, { moves }]) =>
    moves?.published.includes(String(before[name])),
  );
  return isSeen && (after === null || changedFields(resource, before, after).length > 0);
}

/**
 * The event of a change: `published` or `unpublished` where a status moves into or out of the published ones and the
 * resource declares such an event; otherwise `updated`.
 */
export function eventOfChange(resource: Resource, before: Values, after: Values): string {
  for (const [name, { moves }] of flattenFields(resource)) {
    if (moves === null) continue;
    const was = moves.published.includes(String(before[name]));
    const is = moves.published.includes(String(after[name]));
    const event = is ? 'published' : 'unpublished';
    if (was !== is && resource.events?.[event] !== undefined) return event;
  }
  return 'updated';
}

/** The refusal of a move that is not in the table. `field`: dotted name of the status. */
export function invalidMove(field: string, from: string, to: string, allowed: readonly string[]): Problem {
  const text = allowed.length === 0 ? 'to none' : `only to ${allowed.join(', ')}`;
  return new Problem('invalid_transition', `The status cannot move from ${from} to ${to}, ${text}.`, {
    members: { from, to, allowed },
    errors: [
      {
        pointer: `/${field.replaceAll('.', '/')}`,
        code: 'invalid_transition',
        detail: `Allowed: ${allowed.join(', ') || 'none'}.`,
      },
    ],
  });
}
