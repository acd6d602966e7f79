/**
 * Events as CloudEvents 1.0 in JSON, the one format of the feed, the stream and webhooks. They are thin: they name what
 * changed and where to read it, so that no content reaches anyone who may not read the record.
 *
 * https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md, with the extension "sequence".
 */

import { resources } from '@trellis/schema/resources/index.ts';
import { recordPath } from '@trellis/schema/resources/record-path.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { sessions } from '@trellis/schema/resources/sessions.ts';
import { visitors } from '@trellis/schema/resources/visitors.ts';
import { encodeId } from '@trellis/schema/values/ids.ts';
import type { LoggedEvent } from './logged-event.ts';

/** Prefix of event ids. */
export const eventIdPrefix = 'evt';

/** Digits of the largest position that the database can store. Positions of equal length sort as text. */
const sequenceDigits = 19;

/** An event as it is sent. */
export interface CloudEvent {
  readonly specversion: '1.0';
  /** Stays the same however often the event is sent. */
  readonly id: string;
  /** URL of the organization. */
  readonly source: string;
  readonly type: string;
  /** Id of the record. */
  readonly subject: string;
  /** When the change was made, RFC 3339. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** The position, zero-padded. */
  readonly sequence: string;
  readonly data: {
    /** Singular name of the resource, as in `type`. */
    readonly resource: string;
    readonly id: string;
    /** Address of the record, also after its deletion; null when its kind has no address. */
    readonly url: string | null;
    /** Version of the record after the change. */
    readonly version: number;
    readonly changedFields: readonly string[];
    readonly actor: {
      readonly user: string | null;
      readonly client: string | null;
      readonly token: string | null;
      /** How the person of a session signed in; null for a bearer token. */
      readonly methods: readonly string[] | null;
      readonly requestId: string;
    };
  };
}

/** @param origin public origin of the server, without a trailing slash: `https://api.example.com` */
export function toCloudEvent(event: LoggedEvent, origin: string): CloudEvent {
  const subject = describeSubject(event, origin);
  return {
    specversion: '1.0',
    id: encodeId(eventIdPrefix, event.id),
    source: `${origin}/v1/organizations/${encodeId('org', event.organizationId)}`,
    type: event.type,
    subject: subject.id,
    time: event.occurredAt,
    datacontenttype: 'application/json',
    sequence: String(event.position).padStart(sequenceDigits, '0'),
    data: {
      resource: event.subjectType,
      ...subject,
      version: event.subjectVersion,
      changedFields: event.changedFields,
      actor: {
        user: event.userId === null ? null : encodeId('user', event.userId),
        client: event.clientId === null ? null : encodeId('client', event.clientId),
        token: event.tokenId === null ? null : encodeId('token', event.tokenId),
        methods: event.methods,
        requestId: event.requestId,
      },
    },
  };
}

/** The kinds of records that events are about. */
type Subject = Pick<Resource, 'singular' | 'idPrefix' | 'path' | 'parent' | 'single'>;
const subjects: readonly Subject[] = [...resources, visitors, sessions];

/**
 * Events outlive resources: a subject of a kind that this release does not know keeps its uuid and has no address.
 */
export function describeSubject(
  event: Pick<LoggedEvent, 'subjectType' | 'subjectId' | 'parentId'>,
  origin: string,
): { id: string; url: string | null } {
  const resource = subjects.find(({ singular }) => singular === event.subjectType);
  if (resource === undefined) return { id: event.subjectId, url: null };
  const id = encodeId(resource.idPrefix, event.subjectId);
  return { id, url: `${origin}${recordPath(resource, event.parentId, event.subjectId)}` };
}
