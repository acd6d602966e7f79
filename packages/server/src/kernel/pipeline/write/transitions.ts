/**
 * Rules of statuses for all resources: a status changes only by transitions that its field declares, and what readers
 * see changes only with the right to publish.
 */

import { type Fault, Problem } from '@trellis/schema/problem.ts';
import type { Transitions } from '@trellis/schema/resources/fields.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { changedFields, type Values } from '@trellis/schema/validation/values.ts';
import { deepEqual } from '@trellis/schema/values/merge-patch.ts';
import { pointerOf } from '@trellis/schema/values/paths.ts';
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

/**
 * The resource itself if a body gives or changes a value that only publishers may; otherwise nothing.
 * @param before null for a new record
 */
export function publishedByBody(
  resource: Resource,
  before: Values | null,
  given: Values,
): readonly Publishable[] {
  const isChanged = flattenFields(resource).some(
    ([name, { isForPublishers }]) =>
      isForPublishers && given[name] !== undefined && !deepEqual(given[name], before?.[name] ?? null),
  );
  return isChanged ? [resource] : [];
}

/** Whether the change or deletion affects a record whose status makes it visible to readers. */
function changesPublished(resource: Resource, before: Values, after: Values | null): boolean {
  const isSeen = flattenFields(resource).some(([name, { transitions }]) =>
    transitions?.published.includes(String(before[name])),
  );
  return isSeen && (after === null || changedFields(resource, before, after).length > 0);
}

/** The event of a change: the event declared by the new status, otherwise `updated`. */
export function eventOfChange(resource: Resource, before: Values, after: Values): string {
  for (const [name, { transitions }] of flattenFields(resource)) {
    const event = before[name] === after[name] ? undefined : transitions?.events[String(after[name])];
    if (event !== undefined) return event;
  }
  return 'updated';
}

/**
 * The events of a deletion or restoration for readers: leaving or reaching the status that they see, where the status declares such events.
 */
export function eventsOfPublished(
  { resource, rules }: Model,
  values: Values,
): { readonly left: readonly string[]; readonly reached: readonly string[] } {
  const declared = statusesOf(resource).filter(({ name, transitions }) =>
    rules.editions === undefined
      ? transitions.published.includes(String(values[name]))
      : rules.editions(values).published !== null,
  );
  const left = declared.flatMap(({ transitions: { published, allowed, events } }) =>
    published
      .flatMap((status) => allowed[status] ?? [])
      .filter((next) => !published.includes(next))
      .flatMap((next) => events[next] ?? []),
  );
  const reached = declared.flatMap(({ transitions: { published, events } }) =>
    published.flatMap((status) => events[status] ?? []),
  );
  return { left: [...new Set(left)], reached: [...new Set(reached)] };
}

/** The statuses of a resource, including those of its versions. */
function statusesOf(resource: Resource): { name: string; transitions: Transitions }[] {
  const { versions } = resource;
  const own = flattenFields(resource).flatMap(([name, { transitions }]) =>
    transitions === null ? [] : [{ name, transitions }],
  );
  return versions === undefined
    ? own
    : [...own, { name: versions.status.field, transitions: versions.status.transitions }];
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
        pointer: pointerOf(field),
        code: 'invalid_transition',
        detail: `Allowed: ${allowed.join(', ') || 'none'}.`,
      },
    ],
  });
}
