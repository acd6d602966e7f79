/** What a change or deletion needs of the caller besides the scope of its operation, in sentences for the documents. */
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';

/** For the description of the update. */
export function rightsOfUpdate(resource: Resource): string[] {
  const byRole = publishedStatuses(resource).map(
    ([name, statuses]) =>
      `Moving \`${name}\` to or from ${statuses} needs a role that may publish. So does every change of a record that is ${statuses}.`,
  );
  return [...byRole, ...present(resource.furtherRights)];
}

/** For the description of the deletion. */
export function rightsOfRemoval(resource: Resource): string[] {
  const byRole = publishedStatuses(resource).map(
    ([, statuses]) => `Deleting a record that is ${statuses} needs a role that may publish.`,
  );
  return [...byRole, ...present(resource.removalRights)];
}

/** Whether the matrix of permissions says something by the action `publish` of the resource. */
export function canBePublished(resource: Resource): boolean {
  return rightsOfUpdate(resource).length > 0;
}

/** Fields that say whether readers see the record, with the statuses by which they do. */
function publishedStatuses(resource: Resource): [string, string][] {
  return flattenFields(resource).flatMap(([name, { moves }]): [string, string][] =>
    moves === null || moves.published.length === 0 ? [] : [[name, moves.published.join(', ')]],
  );
}

function present(sentence: string | undefined): string[] {
  return sentence === undefined ? [] : [sentence];
}
