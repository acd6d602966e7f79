/** The declarations. They were checked when the server started, which the page does not repeat. */
import { declaredResources } from '@trellis/schema/resources/list.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';

export const resources: readonly Resource[] = declaredResources;

/** The resource with that name. @throws Error for an unknown name, which is a mistake in a declaration */
export function resourceByName(name: string): Resource {
  const found = resources.find((resource) => resource.name === name);
  if (found === undefined) throw new Error(`no resource is named ${name}`);
  return found;
}

/** The resource whose records a reference names; undefined for one that has no records to read. A user is read as a member. */
export function targetOfReference(name: string | undefined): Resource | undefined {
  return resources.find((resource) => resource.name === (name === 'users' ? 'members' : name));
}
