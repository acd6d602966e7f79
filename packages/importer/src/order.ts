/** The order of resources in a file with several: each after those it refers to. */

import { resources } from '@trellis/schema/resources/index.ts';
import { flattenFields, type Resource } from '@trellis/schema/resources/resource.ts';
import { innerReferences } from '@trellis/schema/validation/values.ts';

/** Names of the resources that this one belongs or refers to. */
function dependenciesOf(resource: Resource): string[] {
  const references = flattenFields(resource).flatMap(([, field]) => [
    ...(field.reference === null ? [] : [field.reference.resource]),
    ...innerReferences(field).map(({ resource: name }) => name),
  ]);
  return [...(resource.parent === null ? [] : [resource.parent.resource]), ...references];
}

function sortByDependencies(all: readonly Resource[]): readonly Resource[] {
  const sorted = new Set<Resource>();
  const visited = new Set<Resource>();
  const visit = (resource: Resource) => {
    if (visited.has(resource)) return;
    visited.add(resource);
    for (const name of dependenciesOf(resource)) {
      const dependency = all.find((other) => other.name === name);
      if (dependency !== undefined) visit(dependency);
    }
    sorted.add(resource);
  };
  for (const resource of all) visit(resource);
  return [...sorted];
}

/** All portable resources, each after those it refers to. */
export const resourcesInOrder = sortByDependencies(resources.filter(({ portable }) => portable !== false));
