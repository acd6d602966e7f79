/** Whether deleted records of a resource go to the trash. */
import { goesToTrash, type Resource } from '@trellis/schema/resources/resource.ts';
import { useWorkspace } from '../session/workspace.ts';

/** Returns a predicate: both the declaration of the resource and the trash retention of the installation must allow it. */
export function useGoesToTrash(): (resource: Resource) => boolean {
  const { me } = useWorkspace();
  return (resource) => me.trashSeconds > 0 && goesToTrash(resource);
}
