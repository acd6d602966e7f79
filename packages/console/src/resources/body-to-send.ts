/** The bodies of requests as the API accepts them. */
import type { ApiClient } from '@trellis/client/api-client.ts';
import { flattenFields } from '@trellis/schema/resources/resource.ts';
import { type JsonSchema, withoutDerived } from '@trellis/schema/validation/body-schemas.ts';
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';
import { placeOfRequest } from './places.ts';

type Values = Readonly<Record<string, unknown>>;

type Sender = Pick<ApiClient, 'request'>;

/** Sends bodies of records as the API accepts them. */
export function sendingAccepted(client: Sender): Sender {
  return {
    request: (request) => {
      const { path, body } = request;
      return client.request(isPlainObject(body) ? { ...request, body: bodyToSend(path, body) } : request);
    },
  };
}

/**
 * Leaves out what only the API derives, such as the international form of a telephone number. Forms, undo and merges send a list as the API
 * returned it, with one entry changed.
 */
function bodyToSend(path: string, body: Values): Values {
  const resource = placeOfRequest(path)?.resource;
  if (resource === undefined) return body;
  const schemas = new Map(flattenFields(resource).map(([name, { schema }]) => [name, schema as JsonSchema]));
  const inGroup = (values: Values, group: string): Values =>
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        const schema = schemas.get(group + name);
        if (schema !== undefined) return [name, withoutDerived(schema, value)];
        return [name, isPlainObject(value) && group === '' ? inGroup(value, `${name}.`) : value];
      }),
    );
  return inGroup(body, '');
}
