/** The resources. Their declarations are checked when this module is loaded; a wrong one stops the start with an error. */
import { checkDeclarations } from './check-declarations.ts';
import { declaredResources } from './list.ts';
import type { Resource } from './resource.ts';
import { services } from './services.ts';

export const resources: readonly Resource[] = declaredResources;

checkDeclarations(resources, services);

/** The resource with that name. @throws Error for an unknown name, which is a mistake in the code */
export function resourceByName(name: string): Resource {
  const found = resources.find((resource) => resource.name === name);
  if (found === undefined) throw new Error(`no resource is named ${name}`);
  return found;
}
