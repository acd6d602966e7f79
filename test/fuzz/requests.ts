/** Generated requests to the operations of an OpenAPI document: valid ones, and ones with one or several faults. */
import { randomUUID } from 'node:crypto';
import type { RawRequest } from '../support/raw-requests.ts';
import type { DocumentedOperation, DocumentedParameter } from './document.ts';
import { makeStrangeBody, mutate, writeJson } from './mutations.ts';
import type { Random } from './random.ts';
import { exampleId, type IdSource, makeText, makeValue } from './values.ts';
import type { Caller } from './world.ts';

/** A request and who sends it. */
export interface GeneratedRequest extends RawRequest {
  readonly caller: Caller;
}

/** What earlier responses have shown. */
export interface Memory {
  /** Cursors that lists have given. */
  readonly cursors: readonly string[];
  /** Keys of earlier writes. */
  readonly keys: readonly string[];
}

/** Makes a request; the first caller is the most frequent one. */
export function makeRequest(
  operation: DocumentedOperation,
  callers: readonly Caller[],
  random: Random,
  ids: IdSource,
  memory: Memory,
): GeneratedRequest {
  const caller = random.chance(0.65) ? (callers[0] ?? random.pick(callers)) : random.pick(callers);
  const path = makePath(operation, random, ids) + makeQuery(operation, random, ids, memory);
  const body = makeBody(operation, random, ids);
  const headers = makeHeaders(operation, random, memory, body);
  const method = random.chance(0.02) ? otherMethod(operation, random) : operation.method;
  return {
    method,
    path,
    headers: { ...headers, ...caller.headers },
    caller,
    ...(body === null ? {} : { body }),
  };
}

/** `OPTIONS` is left out: a preflight is no operation of the document. */
function otherMethod({ method, methods }: DocumentedOperation, random: Random): string {
  const all = ['PUT', 'POST', 'PATCH', 'DELETE', ...(method === 'GET' ? ['HEAD'] : [])];
  return random.pick(all.filter((other) => !methods.includes(other)));
}

const strangePathParts = [
  '%00',
  '%zz',
  '%',
  '..%2f..',
  '%2e%2e',
  '%F0%9F%98%80',
  '%ff',
  '~',
  ';a=b',
  '-1',
  '+',
];

function makePath(operation: DocumentedOperation, random: Random, ids: IdSource): string {
  return operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((path, parameter) => {
      const part = random.chance(0.04)
        ? random.pick(strangePathParts)
        : encodeURIComponent(makeParameter(parameter, random, ids));
      return path.replace(`{${parameter.name}}`, part);
    }, operation.path);
}

/** A value of a parameter as text, not encoded. */
function makeParameter({ schema, example }: DocumentedParameter, random: Random, ids: IdSource): string {
  const prefix = exampleId.exec(String(example))?.[1];
  if (prefix !== undefined) return ids.choose(prefix);
  if (random.chance(0.3)) return String(example);
  const value = makeValue(schema, random, ids, example);
  // Lone surrogates cannot be encoded.
  return String(value).toWellFormed();
}

const strangeQueries = [
  'nonsense=1',
  '=1',
  '&&',
  '%=1',
  'limit=%zz',
  '__proto__=1',
  'a[b]=1',
  'limit=1;sort=x',
];

const longestQuery = 10_000;

function makeQuery(
  { parameters }: DocumentedOperation,
  random: Random,
  ids: IdSource,
  { cursors }: Memory,
): string {
  const parts: string[] = [];
  for (const parameter of parameters.filter((each) => each.in === 'query')) {
    const { name, required } = parameter;
    if (!random.chance(required ? 0.97 : 0.15)) continue;
    const isCursor = name === 'cursor' && cursors.length > 0 && random.chance(0.7);
    const right = isCursor ? random.pick(cursors) : makeParameter(parameter, random, ids);
    const value = random.chance(0.1) ? makeText(random, 0, 300).toWellFormed() : right;
    parts.push(`${name}=${encodeURIComponent(value)}`);
    if (random.chance(0.03)) parts.push(`${name}=${encodeURIComponent(value)}`);
  }
  if (random.chance(0.04)) parts.push(random.pick(strangeQueries));
  const query = parts.length === 0 ? '' : `?${parts.join('&')}`;
  // A longer head is refused by Node.js itself.
  return query.length > longestQuery ? '' : query;
}

type Body = string | Buffer | null;

function makeBody({ body, mediaTypes, method }: DocumentedOperation, random: Random, ids: IdSource): Body {
  if (random.chance(0.03)) return random.chance(0.5) ? null : makeStrangeBody(random);
  if (body !== null) {
    const value = makeValue(body, random, ids);
    return random.chance(0.5) ? writeJson(value) : mutate(value, random);
  }
  // Bytes of a file.
  if (mediaTypes.length > 0) return Buffer.from(makeText(random, 0, 2_000).repeat(random.integer(0, 5)));
  // Operations that take no body are given one now and then.
  return method !== 'GET' && random.chance(0.1) ? random.pick(['{}', '{"zz":1}', '{{{', '[]']) : null;
}

const strangeTypes = [
  'text/plain',
  'application/json; charset=utf-8',
  'application/json; charset=iso-8859-1',
  'application/JSON',
  'application/merge-patch+json',
  'application/json, text/html',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'json',
  '',
];

/** Headers of one request, apart from those that say who sends it. */
function makeHeaders(
  { method, mediaTypes, parameters }: DocumentedOperation,
  random: Random,
  { keys }: Memory,
  body: Body,
): Record<string, string | readonly string[]> {
  const headers: Record<string, string | readonly string[]> = {};
  const [type] = mediaTypes;
  if (body !== null && !random.chance(0.02)) {
    const right = type === undefined || type === '*/*' ? 'application/octet-stream' : type;
    headers['content-type'] = random.chance(0.05) ? random.pick(strangeTypes) : right;
  }
  if (method !== 'GET' && !random.chance(0.03)) headers['idempotency-key'] = makeKey(random, keys);
  for (const { in: place, name, example, schema } of parameters) {
    const isChosen =
      place === 'header' && !['Idempotency-Key', 'Origin'].includes(name) && random.chance(0.12);
    if (isChosen) headers[name.toLowerCase()] = makeHeader(random, String(example), schema.enum);
  }
  if (random.chance(0.05))
    headers.accept = random.pick(['text/html', 'application/xml', '*/*', 'x', 'application/json;q=0']);
  if (random.chance(0.05))
    headers['accept-encoding'] = random.pick(['gzip', 'br', 'identity;q=0', '*;q=0', 'x']);
  if (random.chance(0.01)) headers['content-encoding'] = random.pick(['gzip', 'identity', 'x']);
  return headers;
}

/** Mostly a fresh one, now and then one that was used, or a wrong one. */
function makeKey(random: Random, keys: readonly string[]): string | readonly string[] {
  if (random.chance(0.04) && keys.length > 0) return random.pick(keys);
  if (random.chance(0.03))
    return random.pick(['', ' ', 'x'.repeat(256), 'a b', 'é', '"quoted"', '""', '"open']);
  if (random.chance(0.005)) return [randomUUID(), randomUUID()];
  return randomUUID();
}

const strangeHeaders = [
  '',
  '*',
  '"1"',
  'W/"1"',
  '"1", "2"',
  '"',
  '1',
  'é',
  'x'.repeat(2_000),
  '\t',
  ', ,',
  'bytes=0-',
  'bytes=-1',
  'bytes=9-1',
  'bytes=0-1,3-4',
  'a=b; c="d',
];

function makeHeader(random: Random, example: string, values: readonly string[] | undefined): string {
  if (random.chance(0.4)) return example;
  return values !== undefined && random.chance(0.5) ? random.pick(values) : random.pick(strangeHeaders);
}
