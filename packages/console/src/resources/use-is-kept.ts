/** Whether records go to the trash when they are deleted. */
import { isKeptWhenDeleted, type Resource } from '@trellis/schema/resources/resource.ts';
import { useWorkspace } from '../session/workspace.ts';

/** Gives a function that says so of a resource: its declaration and the installation have to keep them. */
export function useIsKept(): (resource: Resource) => boolean {
  const { me } = useWorkspace();
  return (resource) => me.trashSeconds > 0 && isKeptWhenDeleted(resource);
}
