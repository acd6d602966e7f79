/** The resources, checked when they are first loaded: a wrong declaration ends the start with what is wrong where. */
import { checkDeclarations } from './check-declarations.ts';
import { declaredResources } from './list.ts';
import type { Resource } from './resource.ts';
import { services } from './services.ts';

export const resources: readonly Resource[] = declaredResources;

checkDeclarations(resources, services);

/** The resource of that name; a wrong name is a mistake in our own declarations. */
export function resourceByName(name: string): Resource {
  const found = resources.find((resource) => resource.name === name);
  if (found === undefined) throw new Error(`no resource is named ${name}`);
  return found;
}
