/**
 * Operations on the log of events. Whoever must know of every change reads the log of events, by pages from a cursor or as a stream. Both show the
 * same events in the same order, and only those about records that the token's user may read.
 */
import { Readable } from 'node:stream';
import { describeUnknownPattern, isKnownPattern } from '@trellis/schema/event-types.ts';
import { Problem } from '@trellis/schema/problem.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { visitors } from '@trellis/schema/resources/visitors.ts';
import { grantIn } from '@trellis/schema/rights/permissions.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { answerJson, answerRead } from '../http/calls.ts';
import type { HttpContext } from '../http/context.ts';
import type { Answer, Call, Operation, QueryParameter } from '../http/operation.ts';
import type { Parameters } from '../http/parameters.ts';
import { cursorParameter, limitParameter } from '../http/resource-parameters.ts';
import type { Actor } from '../identity/actor.ts';
import { permit } from '../identity/actor.ts';
import { toCloudEvent } from './cloud-event.ts';
import { type LogPage, type LogQuery, readLog } from './log.ts';

/** How often a stream looks for new events when nothing told of any, in ms. */
const streamPollMs = 500;
/** Events fetched at once for a stream. */
const streamPage = 100;

const typeParameter: QueryParameter = {
  name: 'type',
  description: 'Only events of this type, or of all types of a resource: `article.published`, `article.*`.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 100, format: 'event-type' },
  example: 'article.*',
};
const subjectParameter: QueryParameter = {
  name: 'subject',
  description: 'Only events about the record with this id.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 64 },
  example: 'art_01h455vb4pex5vsknk084sn02q',
};
const fromParameter: QueryParameter = {
  name: 'from',
  description: 'Where to begin without a cursor: with the oldest event that is kept, or with the next one.',
  required: false,
  schema: { type: 'string', enum: ['earliest', 'latest'], default: 'earliest' },
  example: 'latest',
};

/** The log by pages, and as a stream. */
export function eventOperations(context: HttpContext, origin: () => string): Operation[] {
  const common = {
    method: 'GET',
    tag: 'Events',
    requirement: {
      scopes: ['events:read'],
      module: null,
      permission: { resource: 'events', action: 'read' },
    },
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
        'Events in the order of the log, oldest first. `pageInfo.nextCursor` is never null here: it is where to go on later, when `hasNextPage` is false as well. A reader that always goes on from its cursor gets each event once.',
      queryParameters: [
        limitParameter(limits.listPageSize),
        cursorParameter,
        fromParameter,
        typeParameter,
        subjectParameter,
      ],
      success: { status: 200, description: 'One page of events.', schemaName: 'EventList', headers: [] },
      handle: (call) =>
        answerRead(context, call, (actor, parameters) => list(context, origin(), call, actor, parameters)),
    },
    {
      ...common,
      operationId: 'streamEvents',
      path: '/v1/events/stream',
      summary: 'Follow the event log',
      description:
        'Server-sent events (`text/event-stream`): each has the event as `data`, its type as `event`, and as `id` a cursor, which `Last-Event-ID` or the parameter `cursor` takes to go on. When it begins, and when nothing was sent for 15 seconds, an `id` comes without an event, and a comment: where to go on after the events that are not for this reader. The server ends a stream from time to time; clients connect again, as browsers do by themselves.',
      queryParameters: [
        cursorParameter,
        { ...fromParameter, schema: { ...fromParameter.schema, default: 'latest' } },
        typeParameter,
        subjectParameter,
      ],
      success: {
        status: 200,
        description: 'The events as they come.',
        schemaName: null,
        headers: [],
        isEventStream: true,
      },
      handle: (call) =>
        answerRead(context, call, (actor, parameters) => stream(context, origin(), call, actor, parameters)),
    },
  ];
}

/**
 * What is asked, apart from where to begin.
 * @throws Problem invalid_parameter for a type that no event has: who follows it would wait for ever
 */
function readFilters(call: Call, parameters: Parameters) {
  const { type, subject } = parameters;
  if (type !== undefined && !isKnownPattern(type)) {
    const detail = describeUnknownPattern(type);
    throw new Problem('invalid_parameter', detail, {
      errors: [{ parameter: 'type', code: 'unknown_event_type', detail }],
    });
  }
  const binding = {
    organizationId: call.credentials.organizationId,
    // The stream goes on where a page ended, and the other way round.
    route: 'events',
    query: { type: type ?? '', subject: subject ?? '' },
  };
  const filters = { types: type === undefined ? null : [type], subjectId: subjectOf(subject) };
  return { binding, filters };
}

/** An id that names nothing has no events; no record has the nil uuid. */
function subjectOf(id: string | undefined): string | null {
  if (id === undefined) return null;
  const prefix = id.slice(0, Math.max(0, id.lastIndexOf('_')));
  return decodeId(prefix, id) ?? '00000000-0000-0000-0000-000000000000';
}

/** Singular names of what the user may read, now. */
function readableTypes(actor: Actor): string[] {
  const kinds = resources.filter(
    ({ name, module }) =>
      (module === null || actor.modules.has(module)) && grantIn(actor.role.rights, name, 'read') !== null,
  );
  return [
    ...kinds.map(({ singular }) => singular),
    ...(actor.modules.has('visitors') ? [visitors.singular] : []),
  ];
}

function beginOf(parameters: Parameters, initial: 'earliest' | 'latest'): LogQuery['from'] {
  const { from = initial } = parameters;
  return from === 'latest' ? 'latest' : 'earliest';
}

async function list(
  context: HttpContext,
  origin: string,
  call: Call,
  actor: Actor,
  parameters: Parameters,
): Promise<Answer> {
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
  const items = page.events.map((event) => toCloudEvent(event, origin));
  const nextCursor = context.cursors.seal(binding, [String(page.next)]);
  return answerJson(call, null, () =>
    JSON.stringify({ items, pageInfo: { nextCursor, hasNextPage: page.more } }),
  );
}

/** Who was away for longer than events are kept must know that some are missing. */
function refuseMissed(page: LogPage): void {
  if (!page.missed) return;
  const detail = 'Events after this cursor are no longer kept. Begin again with from=earliest.';
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
): Promise<Answer> {
  const { binding, filters } = readFilters(call, parameters);
  const last = call.headers['last-event-id'];
  const cursor = typeof last === 'string' && last !== '' ? last : parameters.cursor;
  const from =
    cursor === undefined ? beginOf(parameters, 'latest') : Number(context.cursors.open(binding, cursor)[0]);
  const read = (reader: Actor, position: LogQuery['from']) =>
    readLog(context.database, call.credentials, {
      ...filters,
      from: position,
      limit: streamPage,
      subjectTypes: readableTypes(reader),
    });
  const headers = {
    'content-type': 'text/event-stream; charset=utf-8',
    // nginx would otherwise collect events before it passes them on.
    'x-accel-buffering': 'no',
  };
  const { tokenHash, organizationId } = call.credentials;
  const giveBack = context.events.open.take(tokenHash, organizationId);
  // Where the client leaves, its place is free at once: what the stream waits for may take longer.
  const left = new AbortController();
  const onClose = () => {
    left.abort();
    giveBack();
  };
  try {
    // Before the answer begins: afterwards nothing can be refused.
    const first = await read(actor, from);
    refuseMissed(first);
    // Only the headers are asked for, those of a stream: one to nobody would stay open.
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

/** The lines of a stream, until its time is over, the token no longer permits it, or the server stops. */
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
  // The first sign of life is given at once: a reader that gets no event knows all the same where it began.
  let spokeAt = Number.NEGATIVE_INFINITY;
  let page = first;
  yield ': connected\n\n';
  for (;;) {
    for (const event of page.events) {
      // Whoever reads slowly is told to connect again all the same.
      if (isOver()) return;
      const data = JSON.stringify(toCloudEvent(event, origin));
      yield `id: ${seal(event.position)}\nevent: ${event.type}\ndata: ${data}\n\n`;
      spokeAt = performance.now();
    }
    if (performance.now() - spokeAt > events.heartbeatMs) {
      // An id without data moves the reader's Last-Event-ID on and is no event: what the filters leave out grows old too.
      yield `: alive\nid: ${seal(page.next)}\n\n`;
      spokeAt = performance.now();
    }
    if (!page.more) {
      const restMs = Math.min(streamPollMs, Math.max(0, endsAt - performance.now()));
      await events.wait(call.credentials.organizationId, restMs);
    }
    if (isOver()) return;
    // Rights may be taken away while a stream is open, and a stream that is behind may stay so for long.
    const reader = await authenticator.actorForRead(call.credentials, 'api');
    permit(reader, call.operation.requirement);
    page = await read(reader, page.next);
  }
}
