/** The operations of an OpenAPI document, with their references resolved. */
import type { Json } from '../support/server.ts';

export interface DocumentedParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Json;
  readonly example: unknown;
}

export interface DocumentedOperation {
  readonly operationId: string;
  readonly method: string;
  /** Path from the root of the server, with its parameters in braces. */
  readonly path: string;
  readonly parameters: readonly DocumentedParameter[];
  /** Media types of the body; empty when there is none. */
  readonly mediaTypes: readonly string[];
  /** Schema of a JSON body; null for none and for bytes. */
  readonly body: Json | null;
  /** Methods that the document has for this path, in upper case. */
  readonly methods: readonly string[];
}

/** All operations of the document, deletions last: they take away what the others need. */
export function listOperations(document: Json): DocumentedOperation[] {
  const base = new URL(document.servers[0].url, 'http://localhost').pathname.replace(/\/$/, '');
  const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) => {
    const methods = Object.entries<Json>(item).filter(([, operation]) => 'operationId' in operation);
    return methods.map(([method, operation]): DocumentedOperation => {
      const content = operation.requestBody?.content ?? {};
      const mediaTypes = Object.keys(content);
      const json = mediaTypes.find((type) => type.endsWith('json'));
      return {
        operationId: operation.operationId,
        method: method.toUpperCase(),
        path: base + path,
        parameters: (operation.parameters ?? []).map((parameter: Json) => resolve(document, parameter)),
        mediaTypes,
        body: json === undefined ? null : resolveAll(document, content[json].schema),
        methods: methods.map(([name]) => name.toUpperCase()),
      };
    });
  });
  const isDeletion = ({ method }: DocumentedOperation) => Number(method === 'DELETE');
  return operations.sort((one, other) => isDeletion(one) - isDeletion(other));
}

function resolve(document: Json, value: Json): Json {
  if (typeof value?.$ref !== 'string') return value;
  const keys: string[] = value.$ref.slice(2).split('/');
  return keys.reduce<Json>((inside, key) => inside[key], document);
}

/** The schema with what its references lead to; request bodies do not contain themselves. */
function resolveAll(document: Json, schema: Json): Json {
  const value = resolve(document, schema);
  if (Array.isArray(value)) return value.map((item) => resolveAll(document, item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolveAll(document, inner)]));
}
