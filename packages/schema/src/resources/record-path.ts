/** The URL path of a record, as responses, events and pages show it. */
import { encodeId } from '../values/ids.ts';
import { resourceByName } from './index.ts';
import type { Resource } from './resource.ts';

/** Path of a record below the origin. `parentId` and `id`: uuids. */
export function recordPath(
  { path, parent, idPrefix, single = false }: Pick<Resource, 'path' | 'parent' | 'idPrefix' | 'single'>,
  parentId: string | null,
  id: string,
): string {
  const collection =
    parent === null || parentId === null
      ? path
      : path.replace(`{${parent.parameter}}`, encodeId(resourceByName(parent.resource).idPrefix, parentId));
  return single ? `/v1${path}` : `/v1${collection}/${encodeId(idPrefix, id)}`;
}
