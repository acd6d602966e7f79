/**
 * Operations on the event log. The log is read by pages from a cursor, or as a stream. Both show the same events in the
 * same order, and only events about records that the token's user may read.
 */
import { Readable } from 'node:stream';
import { describeUnknownPattern, isKnownPattern } from '@trellis/schema/event-types.ts';
import { Problem } from '@trellis/schema/problem.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { sessions } from '@trellis/schema/resources/sessions.ts';
import { visitors } from '@trellis/schema/resources/visitors.ts';
import { grantIn } from '@trellis/schema/rights/permissions.ts';
import { parseInstant, toInstant } from '@trellis/schema/values/clock.ts';
import { splitTypes } from '@trellis/schema/values/event-type.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { toCloudEvent } from '../../kernel/events/cloud-event.ts';
import { type LogPage, type LogQuery, readLog } from '../../kernel/events/log.ts';
import type { LoggedEvent } from '../../kernel/events/logged-event.ts';
import { handleRead, respondWithItems } from '../../kernel/http/calls.ts';
import type { HttpContext } from '../../kernel/http/context.ts';
import type { Call, Operation, OperationResponse, QueryParameter } from '../../kernel/http/operation.ts';
import type { Parameters } from '../../kernel/http/parameters.ts';
import { cursorParameter, limitParameter } from '../../kernel/http/resource-parameters.ts';
import { exampleId } from '../../kernel/http/schemas.ts';
import type { Actor, Requirement } from '../../kernel/identity/actor.ts';
import { permit } from '../../kernel/identity/actor.ts';

/** How often a stream looks for new events without having been notified, in ms. */
const streamPollMs = 500;
/** Events read at once for a stream. */
const streamPage = 100;

/** Events of one type, or of all types of one resource. */
export const typeParameter: QueryParameter = {
  name: 'type',
  description: 'Only events of this type, or of all types of a resource: `article.published`, `article.*`.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 100, format: 'event-type' },
  example: 'article.*',
};
const typesParameter: QueryParameter = {
  name: 'type',
  description:
    'Only events of these types, divided by commas; `article.*` stands for all types of a resource: `article.published`, `article.*,book.deleted`.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 1_000, format: 'event-types' },
  example: 'article.*',
};
const subjectParameter: QueryParameter = {
  name: 'subject',
  description: 'Only events about the record with this id.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 64 },
  example: exampleId('art'),
};
const fromParameter: QueryParameter = {
  name: 'from',
  description:
    'Where to begin without a cursor: with the oldest event that is kept (`earliest`), with the next one (`latest`), or with changes made at or after an instant (RFC 3339). Send the same instant again with the cursor of a page.',
  required: false,
  schema: { type: 'string', format: 'log-start', default: 'earliest' },
  example: '2026-03-01T00:00:00Z',
};
const toParameter: QueryParameter = {
  name: 'to',
  description: 'Only changes made before this instant.',
  required: false,
  schema: { type: 'string', format: 'date-time' },
  example: '2026-04-01T00:00:00Z',
};
const actorParameter: QueryParameter = {
  name: 'actorId',
  description: 'Only changes that the user with this id made.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 64 },
  example: exampleId('user'),
};

/** What reading the log requires, in any form. */
export const readingEvents: Requirement = {
  scopes: ['events:read'],
  module: null,
  permission: { resource: 'events', action: 'read' },
};

/** The operations that read the log by pages and as a stream. */
export function eventOperations(context: HttpContext, origin: () => string): Operation[] {
  const common = {
    method: 'GET',
    tag: 'Events',
    requirement: readingEvents,
    pathParameters: [],
    body: null,
    conditional: false,
    problems: ['cursor_invalid', 'cursor_mismatch'],
  } as const;
  return [
    {
      ...common,
      operationId: 'listEvents',
      path: '/v1/events',
      summary: 'Read the event log',
      description:
        'Events in the order of the log, oldest first. `pageInfo.nextCursor` is never null here: when `hasNextPage` is false, continue from it later. A reader that always continues from its last cursor gets each event once.',
      queryParameters: [
        limitParameter(limits.listPageSize),
        cursorParameter,
        fromParameter,
        toParameter,
        typesParameter,
        subjectParameter,
        actorParameter,
      ],
      success: { status: 200, description: 'One page of events.', schemaName: 'EventList', headers: [] },
      isListing: true,
      handle: (call) =>
        handleRead(context, call, (actor, parameters) => list(context, origin(), call, actor, parameters)),
    },
    {
      ...common,
      operationId: 'streamEvents',
      path: '/v1/events/stream',
      summary: 'Follow the event log',
      description:
        'Server-sent events (`text/event-stream`). Each has the event as `data`, its type as `event`, and a cursor as `id`; send it as `Last-Event-ID` or in the parameter `cursor` to continue. At the beginning, and after 15 seconds without an event, the stream sends a comment and an `id` without an event, so that the cursor also advances past events that the filters or permissions hide. The server ends a stream from time to time; clients reconnect, as browsers do automatically.',
      queryParameters: [
        cursorParameter,
        { ...fromParameter, schema: { ...fromParameter.schema, default: 'latest' } },
        typesParameter,
        subjectParameter,
        actorParameter,
      ],
      success: {
        status: 200,
        description: 'The stream of events.',
        schemaName: null,
        headers: [],
        isEventStream: true,
      },
      handle: (call) =>
        handleRead(context, call, (actor, parameters) => stream(context, origin(), call, actor, parameters)),
    },
  ];
}

/**
 * The types that the parameter `type` names; null for all.
 * @throws Problem invalid_parameter for one that does not exist, because a reader would wait for it forever
 */
export function readTypes(type: string | undefined): readonly string[] | null {
  if (type === undefined) return null;
  const types = splitTypes(type);
  const unknown = types.find((one) => !isKnownPattern(one));
  if (unknown === undefined) return types;
  const detail = describeUnknownPattern(unknown);
  throw new Problem('invalid_parameter', detail, {
    errors: [{ parameter: 'type', code: 'unknown_event_type', detail }],
  });
}

/** The filters of a request. @throws Problem invalid_parameter */
function readFilters(call: Call, parameters: Parameters) {
  const { type, subject, actorId, from, to } = parameters;
  const since = sinceOf(from);
  const types = readTypes(type);
  const binding = {
    organizationId: call.credentials.organizationId,
    // A stream continues where a page ended, and the other way round.
    route: 'events',
    query: {
      // The same types in another order are the same reader.
      type: [...(types ?? [])].sort().join(','),
      subject: subject ?? '',
      actorId: actorId ?? '',
      since: since ?? '',
      to: to ?? '',
    },
  };
  const filters = {
    types,
    subjectId: subjectOf(subject),
    actorId: actorId === undefined ? null : (decodeId('user', actorId) ?? nobody),
    since,
    until: to ?? null,
  };
  return { binding, filters };
}

/** No record and no user has the nil uuid. */
const nobody = '00000000-0000-0000-0000-000000000000';

/** An id that names nothing has no events. */
function subjectOf(id: string | undefined): string | null {
  if (id === undefined) return null;
  const prefix = id.slice(0, Math.max(0, id.lastIndexOf('_')));
  return decodeId(prefix, id) ?? nobody;
}

/** The instant that `from` names; null where it names an end of the log. */
function sinceOf(from: string | undefined): string | null {
  const instant = from === undefined ? null : parseInstant(from);
  return instant === null ? null : toInstant(instant);
}

/** Singular names of the resources that the user may read now. */
export function readableTypes(actor: Actor): string[] {
  const kinds = resources.filter(
    ({ name, module }) =>
      (module === null || actor.modules.has(module)) && grantIn(actor.role.rights, name, 'read') !== null,
  );
  return [
    ...kinds.map(({ singular }) => singular),
    ...(actor.modules.has('visitors') ? [visitors.singular] : []),
    // Their readers are named in each event: administrators, and whose session it is.
    sessions.singular,
  ];
}

function beginOf(parameters: Parameters, initial: 'earliest' | 'latest'): LogQuery['from'] {
  const { from = initial } = parameters;
  const instant = sinceOf(from);
  if (instant !== null) return { instant };
  return from === 'latest' ? 'latest' : 'earliest';
}

async function list(
  context: HttpContext,
  origin: string,
  call: Call,
  actor: Actor,
  parameters: Parameters,
): Promise<OperationResponse> {
  const { binding, filters } = readFilters(call, parameters);
  const { cursor, limit } = parameters;
  const from =
    cursor === undefined ? beginOf(parameters, 'earliest') : Number(context.cursors.open(binding, cursor)[0]);
  const page = await readLog(context.database, call.credentials, {
    ...filters,
    from,
    limit: Number(limit ?? limits.listPageSize.default),
    subjectTypes: readableTypes(actor),
  });
  refuseMissed(page);
  const items = page.events.map((event) => JSON.stringify(toCloudEvent(event, origin)));
  const nextCursor = context.cursors.seal(binding, [String(page.next)]);
  return respondWithItems(call, items, page.events.map(keyOf), { nextCursor, hasNextPage: page.more });
}

/** What tells an event from others, for the guard of exports. */
function keyOf({ position }: LoggedEvent): string {
  return String(position);
}

/** Refuses a position whose following events were deleted: a reader must know that it has missed events. */
function refuseMissed(page: LogPage): void {
  if (!page.missed) return;
  const detail = 'Events after this cursor are no longer kept. Start again with from=earliest.';
  throw new Problem('cursor_invalid', detail, {
    errors: [{ parameter: 'cursor', code: 'expired', detail }],
  });
}

async function stream(
  context: HttpContext,
  origin: string,
  call: Call,
  actor: Actor,
  parameters: Parameters,
): Promise<OperationResponse> {
  const { binding, filters } = readFilters(call, parameters);
  const last = call.headers['last-event-id'];
  const cursor = typeof last === 'string' && last !== '' ? last : parameters.cursor;
  const from =
    cursor === undefined ? beginOf(parameters, 'latest') : Number(context.cursors.open(binding, cursor)[0]);
  // What is in the log already is counted as an export is. What is added while the stream is open is not: it is read as it happens.
  let existing = Number.POSITIVE_INFINITY;
  const read = async (reader: Actor, position: LogQuery['from']) => {
    const page = await readLog(context.database, call.credentials, {
      ...filters,
      from: position,
      limit: streamPage,
      subjectTypes: readableTypes(reader),
    });
    existing = Math.min(existing, page.latest);
    const keys = page.events.filter((event) => event.position <= existing).map(keyOf);
    context.exports.note(reader, { resource: 'events', keys, continues: true }, performance.now());
    return page;
  };
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    // Otherwise nginx would buffer events.
    'x-accel-buffering': 'no',
  };
  const { tokenHash, organizationId } = call.credentials;
  const giveBack = context.events.open.take(tokenHash, organizationId);
  // Frees the client's place at once when it leaves; the pending wait may last longer.
  const left = new AbortController();
  const onClose = () => {
    left.abort();
    giveBack();
  };
  try {
    // Before the response begins, because afterwards nothing can be refused.
    const first = await read(actor, from);
    refuseMissed(first);
    // HEAD gets only the headers of a stream, because an unread stream would stay open.
    if (call.method === 'HEAD') return { status: 200, headers, body: Readable.from([]), onClose };
    const lines = follow(context, origin, call, first, read, left.signal, (position) =>
      context.cursors.seal(binding, [String(position)]),
    );
    const body = Readable.from(lines, { objectMode: false, encoding: 'utf8' });
    return { status: 200, headers, body, onClose };
  } catch (error) {
    giveBack();
    throw error;
  }
}

/** The lines of a stream, until its duration is over, the token no longer permits it, or the server stops. */
async function* follow(
  context: HttpContext,
  origin: string,
  call: Call,
  first: LogPage,
  read: (reader: Actor, position: number) => Promise<LogPage>,
  left: AbortSignal,
  seal: (position: number) => string,
): AsyncGenerator<string> {
  const { events, authenticator } = context;
  const endsAt = performance.now() + events.streamLifetimeMs;
  const isOver = () => performance.now() >= endsAt || events.stopping.aborted || left.aborted;
  // A comment is sent at once, so that a reader without events knows where the stream began.
  let spokeAt = Number.NEGATIVE_INFINITY;
  let page = first;
  yield ': connected\n\n';
  for (;;) {
    for (const event of page.events) {
      // Slow readers are told to reconnect too.
      if (isOver()) return;
      const data = JSON.stringify(toCloudEvent(event, origin));
      yield `id: ${seal(event.position)}\nevent: ${event.type}\ndata: ${data}\n\n`;
      spokeAt = performance.now();
    }
    if (performance.now() - spokeAt > events.heartbeatMs) {
      // An id without data advances the reader's Last-Event-ID and is no event: positions of events that the filters
      // skip expire too.
      yield `: alive\nid: ${seal(page.next)}\n\n`;
      spokeAt = performance.now();
    }
    if (!page.more) {
      const restMs = Math.min(streamPollMs, Math.max(0, endsAt - performance.now()));
      await events.wait(call.credentials.organizationId, restMs);
    }
    if (isOver()) return;
    // Permissions can be removed while a stream is open, and a stream that is behind may stay so for long.
    const reader = await authenticator.actorForRead(call.credentials, 'api');
    permit(reader, call.operation.requirement);
    page = await read(reader, page.next);
  }
}
