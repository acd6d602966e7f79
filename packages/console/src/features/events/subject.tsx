/** What an event is about: the kind of record, and the way to it. */

import { Link } from '@tanstack/react-router';
import type { Event } from '@trellis/client/generated/types.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useRecordTitle } from '../../fields/ReferenceName.tsx';
import { resources } from '../../resources/declared.ts';
import { findPlace, recordPathOf } from '../../resources/places.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useNames } from '../../text/names.ts';
import { nameKind } from './event-names.ts';

/** The page of the organization itself, below `/console` and below `/v1`. */
export const organizationPath: string = '/organization';

/** The record of an event. */
export interface Subject {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly id: string;
}

/** The resource that an event tells of; null for one that is none, such as a session. */
export function resourceOfEvent({ type }: Pick<Event, 'type'>): Resource | null {
  const singular = type.slice(0, type.lastIndexOf('.'));
  return resources.find((resource) => resource.singular === singular) ?? null;
}

/** What happened: the last part of the type, `published`. */
export function actionOf({ type }: Pick<Event, 'type'>): string {
  return type.slice(type.lastIndexOf('.') + 1);
}

/** The record of an event, by the path in it; null where there is none to open. */
function subjectOf({ data }: LinkProps['event']): Subject | null {
  return subjectAt(data.url);
}

/** The record with an address; null where there is none to open. */
export function subjectAt(url: string | null): Subject | null {
  if (url === null) return null;
  const path = new URL(url).pathname;
  const place = findPlace(path.slice(path.indexOf('/v1') + 3));
  if (place === null || place.recordId === null) return null;
  return { resource: place.resource, parentId: place.parentId, id: place.recordId };
}

/** What the kind of record of an event is called. */
export function useKindName(): (event: Pick<Event, 'type'>) => string {
  const names = useNames();
  return ({ type }) => nameKind(type, names);
}

interface LinkProps {
  readonly event: Pick<Event, 'type' | 'subject'> & { readonly data: Pick<Event['data'], 'url'> };
  readonly className?: string | undefined;
}

/** The title of the record with a link to it; its kind and the end of its id where it is deleted or cannot be read. */
export function SubjectLink({ event, className }: LinkProps) {
  const { organization } = useWorkspace();
  const kindOf = useKindName();
  const refusal = useRefusal();
  const subject = subjectOf(event);
  if (event.type.startsWith('organization.')) {
    return (
      <Link to={organizationPath} className={className}>
        {organization.name}
      </Link>
    );
  }
  const name = `${kindOf(event)} …${event.subject.slice(-6)}`;
  if (subject === null || actionOf(event) === 'deleted' || refusal(subject.resource, 'read') !== null)
    return <span className={className}>{name}</span>;
  return <RecordLink subject={subject} name={name} className={className} />;
}

interface RecordLinkProps extends Pick<LinkProps, 'className'> {
  readonly subject: Subject;
  /** What it is called while its title is not known. */
  readonly name: string;
}

function RecordLink({ subject: { resource, parentId, id }, name, className }: RecordLinkProps) {
  const title = useRecordTitle(resource, parentId, id);
  // Without a title it was deleted since, most likely.
  if (title === null) return <span className={className}>{name}</span>;
  return (
    <Link to={recordPathOf(resource, parentId, id)} className={className}>
      {title}
    </Link>
  );
}
