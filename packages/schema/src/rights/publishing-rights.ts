/** Which resources can be published, and descriptions of the rights that their updates and deletions require besides the scope of the operation. */
import { flattenFields, type Resource } from '../resources/resource.ts';

/** Sentences for the description of the update. */
export function rightsOfUpdate(resource: Resource): string[] {
  const byRole = publishedStatuses(resource).map(
    ([name, statuses]) =>
      `Changing \`${name}\` to or from ${statuses}, and any change of a record that is ${statuses}, requires a role that may publish.`,
  );
  return [...byRole, ...present(resource.furtherRights)];
}

/** Sentences for the description of the deletion. */
export function rightsOfRemoval(resource: Resource): string[] {
  const byRole = publishedStatuses(resource).map(
    ([, statuses]) => `Deleting a record that is ${statuses} requires a role that may publish.`,
  );
  return [...byRole, ...present(resource.removalRights)];
}

/** Whether the action `publish` has a meaning for the resource. */
export function canBePublished(resource: Resource): boolean {
  return rightsOfUpdate(resource).length > 0;
}

/** The fields whose status decides whether readers see the record, with the statuses in which they do. */
function publishedStatuses(resource: Resource): [string, string][] {
  return flattenFields(resource).flatMap(([name, { transitions }]): [string, string][] =>
    transitions === null || transitions.published.length === 0
      ? []
      : [[name, transitions.published.join(', ')]],
  );
}

function present(sentence: string | undefined): string[] {
  return sentence === undefined ? [] : [sentence];
}
