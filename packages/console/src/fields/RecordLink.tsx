/** The title of a record as a link to it, where only its id is known. */
import { Link } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { resourceByName, resources } from '../resources/declared.ts';
import { recordPathOf } from '../resources/places.ts';
import { useNames } from '../text/names.ts';
import { useParentOf } from './parent-search.ts';
import { useRecordTitle } from './ReferenceName.tsx';

/** The resource that an id belongs to, by its prefix; null for another value. */
export function resourceOfId(id: unknown): Resource | null {
  if (typeof id !== 'string') return null;
  return resources.find(({ idPrefix }) => id.startsWith(`${idPrefix}_`)) ?? null;
}

interface Props {
  readonly resource: Resource;
  readonly id: string;
  /** The parent of what names the record, which may be that of the record. */
  readonly besideParentId?: string | null;
}

export function RecordLink({ resource, id, besideParentId = null }: Props) {
  if (resource.parent === null) return <NamedLink resource={resource} id={id} parentId={null} />;
  const parent = resourceByName(resource.parent.resource);
  return besideParentId?.startsWith(`${parent.idPrefix}_`) === true ? (
    <NamedLink resource={resource} id={id} parentId={besideParentId} />
  ) : (
    <LinkBelowParent resource={resource} id={id} parent={parent} />
  );
}

function LinkBelowParent({ parent, ...props }: Props & { readonly parent: Resource }) {
  const { parentId } = useParentOf(parent, props.resource, props.id);
  return <NamedLink {...props} parentId={parentId} />;
}

/** Without a title, the record is still being read, or was deleted, or cannot be read: its kind says what there is to say. */
function NamedLink({ resource, id, parentId }: Props & { readonly parentId: string | null }) {
  const names = useNames();
  const title = useRecordTitle(resource, parentId, id);
  if (title === null) return <>{names.singular(resource)}</>;
  return <Link to={recordPathOf(resource, parentId, id)}>{title}</Link>;
}
