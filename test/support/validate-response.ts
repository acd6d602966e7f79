/**
 * Validation of responses against an OpenAPI document. The document allows additional members, so that they can be added
 * later; this validation does not, because everything that the server sends must be documented.
 */

import { formats } from '@trellis/schema/validation/formats.ts';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json } from './server.ts';

/** A received response. */
export interface ObservedResponse {
  readonly method: string;
  /** Path without the query, as called or as in the document (`/v1/sites/{siteId}`). */
  readonly path: string;
  /** As sent, without the question mark. */
  readonly query: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Returns the faults of a response; none when it is as documented. */
export type ResponseValidator = (response: ObservedResponse) => string[];

/** Headers of HTTP that documents do not list. */
const headersOfHttp = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  // Of every response, for browsers (`test/http/contract/protective-headers.test.ts`).
  'content-security-policy',
  'referrer-policy',
  'x-content-type-options',
  'transfer-encoding',
  'vary',
];

interface Contract {
  readonly document: Json;
  /** The schema at a JSON pointer into the document. */
  compile(pointer: string): ValidateFunction;
}

/** A value in the document and its JSON pointer. */
interface Place {
  readonly value: Json;
  readonly pointer: string;
}

/**
 * Checks responses against an OpenAPI document, 3.1, or 3.0 as far as its schemas mean the same in JSON Schema 2020-12.
 * An undocumented status, header, content type, body, member or error code is a fault, and so is a missing required
 * one. Calls of paths and methods that the document does not have must be refused in its documented format.
 */
export function responseValidator(document: Json): ResponseValidator {
  // Copied and compiled when needed, since that takes long.
  let selecting: Contract | undefined;
  let complete: Contract | undefined;
  const findContract = (isSelection: boolean): Contract => {
    if (isSelection) {
      selecting ??= contractOf(document, withSparseRecords(close(structuredClone(document))));
      return selecting;
    }
    complete ??= contractOf(document, close(structuredClone(document)));
    return complete;
  };
  const findPath = pathFinder(document);
  return (observed) => {
    const contract = findContract(new URLSearchParams(observed.query).has('fields'));
    const path = findPath(observed.path);
    const method = observed.method === 'HEAD' ? 'get' : observed.method.toLowerCase();
    const responses = path === undefined ? undefined : document.paths[path][method]?.responses;
    if (responses === undefined) return faultsOfUnrouted(contract, observed);
    // Described in words only: a write that is asked for no body has the headers of its success, and no body.
    const isMinimal = observed.status === 204 && mayBeEmpty(observed.headers);
    if (isMinimal && observed.text !== '') return ['there is a body, and none was asked for'];
    const status = isMinimal && responses[204] === undefined ? 200 : observed.status;
    const response = responses[status];
    if (response === undefined) return [`the status ${observed.status} is not documented`];
    const pointer = `/paths/${escapePointer(path ?? '')}/${method}/responses/${status}`;
    const place = follow(document, { value: response, pointer });
    return [
      ...headerFaults(contract, observed, place, isMinimal ? ['location'] : []),
      ...bodyFaults(contract, observed, place),
      ...codeFaults(observed, response.description ?? place.value.description),
    ];
  };
}

/** Whether `Prefer`, of this call or of the replayed one, may have omitted the body, which OpenAPI cannot express. */
function mayBeEmpty(headers: ObservedResponse['headers']): boolean {
  return ['preference-applied', 'idempotent-replayed'].some((name) => headers.has(name));
}

function contractOf(document: Json, schemas: Json): Contract {
  const ajv = createSchemaValidator(schemas);
  return {
    document,
    compile(pointer) {
      const schema = ajv.getSchema(`document#${pointer}`);
      if (schema === undefined) throw new Error(`the document has no schema at ${pointer}`);
      return schema;
    },
  };
}

/**
 * The document for calls with `fields`, in whose records any member may be missing but the id. Records are the items of lists and what is
 * read alone; pages and problems stay complete.
 */
function withSparseRecords(document: Json): Json {
  for (const [name, schema] of Object.entries<Json>(document.components.schemas)) {
    if (!/List$|^PageInfo$|^Problem$|^Fault$/.test(name)) loosen(schema);
  }
  return document;
}

function loosen(value: Json): void {
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) loosen(inner);
  if (Array.isArray(value.required)) value.required = value.required.filter((name: Json) => name === 'id');
}

/** Ajv with the document as the schema `document`, and every format that the documents use. */
export function createSchemaValidator(document: Json): Ajv.default {
  const ajv = new Ajv.default({
    strict: false,
    allErrors: true,
    // Most schemas check only a few responses, so the time to compile them matters. Linters check that the document's
    // schemas are valid, see test/http/openapi.test.ts.
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
  });
  addFormats.default(ajv);
  for (const [name, { accepts }] of Object.entries(formats)) ajv.addFormat(name, accepts);
  return ajv.addSchema(document, 'document');
}

/** An undocumented path or method must respond with 404, or 405 with `Allow`, in the form of all refusals. */
function faultsOfUnrouted(contract: Contract, observed: ObservedResponse): string[] {
  if (observed.status !== 404 && observed.status !== 405) {
    return [`the status is ${observed.status} where nothing is documented`];
  }
  const [[path = '', item] = []] = Object.entries<Json>(contract.document.paths);
  const [[method = '', operation] = []] = Object.entries<Json>(item);
  // Every operation documents a 401 response.
  const pointer = `/paths/${escapePointer(path)}/${method}/responses/401`;
  const place = follow(contract.document, { value: operation.responses[401], pointer });
  return [
    ...(observed.status === 405 && !observed.headers.has('allow') ? ['the header allow is missing'] : []),
    ...headerFaults(contract, observed, place, observed.status === 405 ? ['allow'] : []),
    ...bodyFaults(contract, observed, place),
  ];
}

function headerFaults(
  { document, compile }: Contract,
  { headers }: ObservedResponse,
  { value: response, pointer }: Place,
  alsoAllowed: readonly string[],
): string[] {
  const names = Object.keys(response.headers ?? {});
  const known = [...headersOfHttp, ...alsoAllowed, ...names.map((name) => name.toLowerCase())];
  const undocumented = [...headers.keys()].filter((name) => !known.includes(name));
  const faults = undocumented.map((name) => `the header ${name} is not documented`);
  for (const name of names) {
    const place = { value: response.headers[name], pointer: `${pointer}/headers/${escapePointer(name)}` };
    const header = follow(document, place);
    const text = headers.get(name);
    if (text === null) {
      if (header.value.required === true) faults.push(`the header ${name} is missing`);
      continue;
    }
    const validate = compile(`${header.pointer}/schema`);
    const value = header.value.schema.type === 'integer' ? Number(text) : text;
    if (!validate(value)) faults.push(...describeErrors(`the header ${name}`, validate));
  }
  return faults;
}

function bodyFaults(
  { compile }: Contract,
  { method, headers, text }: ObservedResponse,
  { value: response, pointer }: Place,
): string[] {
  const types = Object.keys(response.content ?? {});
  if (text === '') {
    // A file may have no bytes.
    const isContent = types.includes('*/*');
    const isComplete = types.length === 0 || method === 'HEAD' || mayBeEmpty(headers) || isContent;
    return isComplete ? [] : ['the body is missing'];
  }
  if (types.length === 0) return ['there is a body, and none is documented'];
  // File content has any type and any bytes.
  if (types.includes('*/*')) return [];
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  if (!types.includes(type)) return [`the content type "${type}" is not documented`];
  // The content of a stream is checked by the tests of streams.
  if (type === 'text/event-stream') return [];
  const validate = compile(`${pointer}/content/${escapePointer(type)}/schema`);
  return validate(JSON.parse(text)) ? [] : describeErrors('the body', validate);
}

/** A problem's code must be one of those that the description lists for the operation. */
function codeFaults({ headers, text }: ObservedResponse, description: string): string[] {
  if (text === '' || !(headers.get('content-type') ?? '').startsWith('application/problem+json')) return [];
  const { code } = JSON.parse(text);
  return description.includes(`\`${code}\``) ? [] : [`the code ${code} is not documented`];
}

function describeErrors(what: string, { errors }: ValidateFunction): string[] {
  return (errors ?? []).map(
    ({ instancePath, message, params }) => `${what} ${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** Resolves a `$ref` to a component; returns the place itself when there is none. */
function follow(document: Json, { value, pointer }: Place): Place {
  if (value.$ref === undefined) return { value, pointer };
  const target: string = value.$ref.slice(1);
  const keys = target.split('/').slice(1);
  return { value: keys.reduce<Json>((inside, key) => inside?.[key], document), pointer: target };
}

/** Finds the path of the document for a called path; one without parameters takes precedence. */
function pathFinder(document: Json): (called: string) => string | undefined {
  const base = new URL(document.servers[0].url, 'http://localhost').pathname.replace(/\/$/, '');
  const patterns = Object.keys(document.paths)
    .sort((one, other) => one.split('{').length - other.split('{').length)
    .map((path) => ({ path, pattern: new RegExp(`^${base}${path.replace(/\{\w+\}/g, '[^/]+')}$`) }));
  return (called) => patterns.find(({ pattern }) => pattern.test(called))?.path;
}

/** Forbids undeclared properties in every object of a schema. */
function close(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  for (const inner of Object.values(value)) close(inner);
  const isClosable = value.type === 'object' && value.properties !== undefined;
  if (isClosable) value.additionalProperties ??= false;
  return value;
}

function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
