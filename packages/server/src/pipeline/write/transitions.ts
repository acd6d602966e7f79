/**
 * Rules of statuses for all resources: a status changes only by transitions that its field declares, and what readers
 * see changes only with the right to publish.
 */
import { type Fault, Problem } from '@trellis/schema/problem.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { changedFields, type Values } from '@trellis/schema/validation/values.ts';
import type { Model } from '../model.ts';
import type { Publishable } from '../refusal.ts';

/** Faults of initial statuses that are not permitted. */
export function checkInitial(resource: Resource, values: Values): Fault[] {
  return flattenFields(resource).flatMap(([name, { transitions }]) => {
    if (transitions === null || transitions.initial.includes(String(values[name]))) return [];
    const allowed = transitions.initial.join(' or ');
    const detail = `A new ${resource.singular} is ${allowed}. Change the status with a PATCH.`;
    return [{ pointer: `/${name}`, code: 'status_not_allowed', detail }];
  });
}

/**
 * The resources for which the transitions of a record need the right to publish; a refusal for a transition that is not
 * declared.
 */
export interface TransitionCheck {
  /** The resource itself if a transition reaches or leaves a status that readers see; otherwise nothing. */
  readonly publishes: readonly Publishable[];
  readonly refused: Problem | null;
}

/** Checks every changed status against the transitions that its field declares. */
export function checkTransitions(resource: Resource, before: Values, after: Values): TransitionCheck {
  const publishes: Publishable[] = [];
  for (const [name, { transitions }] of flattenFields(resource)) {
    if (transitions === null || before[name] === after[name]) continue;
    const from = String(before[name]);
    const to = String(after[name]);
    const allowed = transitions.allowed[from] ?? [];
    if (!allowed.includes(to)) return { publishes, refused: invalidTransition(name, from, to, allowed) };
    if (transitions.published.includes(from) || transitions.published.includes(to)) publishes.push(resource);
  }
  return { publishes, refused: null };
}

/**
 * The resource itself if a change affects what readers see and needs the right to publish; otherwise nothing.
 * @param after null for a deletion
 */
export function publishedBy(
  { resource, rules }: Model,
  before: Values,
  after: Values | null,
): readonly Publishable[] {
  const isSeen = rules.changesSeen?.(before, after) ?? changesPublished(resource, before, after);
  return isSeen ? [resource] : [];
}

/** Whether the change or deletion affects a record whose status makes it visible to readers. */
function changesPublished(resource: Resource, before: Values, after: Values | null): boolean {
  const isSeen = flattenFields(resource).some(([name, { transitions }]) =>
    transitions?.published.includes(String(before[name])),
  );
  return isSeen && (after === null || changedFields(resource, before, after).length > 0);
}

/** The event of a change: the one that the new status declares, otherwise `updated`. */
export function eventOfChange(resource: Resource, before: Values, after: Values): string {
  for (const [name, { transitions }] of flattenFields(resource)) {
    const event = before[name] === after[name] ? undefined : transitions?.events[String(after[name])];
    if (event !== undefined) return event;
  }
  return 'updated';
}

/** The refusal of a transition that is not declared. `field`: dotted name of the status. */
export function invalidTransition(
  field: string,
  from: string,
  to: string,
  allowed: readonly string[],
): Problem {
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
