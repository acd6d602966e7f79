/** Channels of the AsyncAPI document whose messages are events. */
import type { EventType } from '@trellis/schema/event-types.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { reference } from '../../http/schemas.ts';
import { eventSchemaName } from './event-messages.ts';

/** A message for each type, by the name of its schema. @param headers of a message; null: it has none */
export function eventMessages(
  types: readonly EventType[],
  headers: JsonSchema | null,
): Record<string, unknown> {
  return Object.fromEntries(
    types.map(({ type, description }) => {
      const name = eventSchemaName(type);
      const message = {
        name: type,
        title: type,
        summary: description,
        contentType: 'application/json',
        ...(headers === null ? {} : { headers }),
        payload: reference(name),
      };
      return [name, message];
    }),
  );
}

/** The operation of the server that sends the messages of a channel. */
export function sendOperation(
  channel: string,
  summary: string,
  method: 'GET' | 'POST',
): Record<string, unknown> {
  return {
    action: 'send',
    channel: { $ref: `#/channels/${channel}` },
    summary,
    bindings: { http: { method, bindingVersion: '0.3.0' } },
  };
}
