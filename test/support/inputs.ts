/**
 * Tests of what operations take, for the operations of every interface that reports faults by pointer: unknown and invalid values are
 * refused at every depth, and so is a body where none is declared. The inputs are generated from the schemas of the operation.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import type { OperationDescription } from '@trellis/server/kernel/http/operation.ts';
import {
  buildAt,
  type Path,
  placesOf,
  plainSchema,
  pointerOf,
  requiredQuery,
  type Variation,
} from './fixtures.ts';
import { expectProblem } from './refusals.ts';
import type { TestResponse } from './server.ts';
import { casesFor } from './soak.ts';

/** An operation, and how it is tried. */
export interface Tried {
  readonly operation: OperationDescription;
  /** Its position among the others, which share the cases. */
  readonly index: number;
  /** The pointer of an object whose members are not ours to check; absent: there is none. */
  readonly foreign?: string;
  /** A valid body. */
  validBody(): Record<string, unknown>;
  /** Sends the valid request, except for the variation. */
  send(variation: Pick<Variation, 'rawBody' | 'query' | 'headers'>): Promise<TestResponse>;
  /** Expects that attempts change nothing. */
  changesNothing(attempts: () => Promise<void>): Promise<void>;
}

const json = { 'content-type': 'application/json' };

/** Expects one fault. */
export function expectOneFault(response: TestResponse, path: Path, code: string): void {
  assert.deepEqual(
    response.json.errors.map((fault: { pointer: string; code: string }) => [fault.pointer, fault.code]),
    [[pointerOf(path), code]],
    response.text,
  );
}

/** Values of other types than the schema's: nothing is coerced. */
function wrongTypes(schema: JsonSchema): unknown[] {
  const { type } = plainSchema(schema);
  const samples: Readonly<Record<string, unknown[]>> = {
    string: ['x'],
    integer: [12, 1.5],
    boolean: [true],
    array: [[]],
    object: [{}],
  };
  const others = Object.entries(samples).flatMap(([other, values]) =>
    other === type ? values.filter((value) => value === 1.5) : values,
  );
  const texts = type === 'integer' ? ['12'] : type === 'boolean' ? ['true', 0] : [];
  return [...others, ...texts, ...(schema.anyOf === undefined ? [null] : [])];
}

/** The schemas and parameters of earlier operations, as text. */
const tried = new Set<string>();

/** All cases for the first subject with these rules, since they are its own; a part of them for others that are like it. */
export function casesOf<T>(index: number, rules: object, cases: readonly T[]): readonly T[] {
  const text = JSON.stringify(rules);
  if (tried.has(text)) return casesFor(index, cases);
  tried.add(text);
  return cases;
}

/** Declares the tests of the declared body of an operation. */
export function testBody({ operation, index, foreign, validBody, send, changesNothing }: Tried): void {
  const { operationId, body } = operation;
  if (body === null) return;
  const bodyWith = (path: Path, value: unknown) => buildAt(body.schema, path, value, validBody());
  const objects = placesOf(body.schema)
    .map(({ path, schema }) => ({ path, schema: plainSchema(schema) }))
    .filter(({ path, schema }) => schema.type === 'object' && pointerOf(path) !== foreign);

  test(`${operationId}: an unknown field is refused at every depth, with its pointer`, () =>
    changesNothing(async () => {
      for (const [place, { path, schema }] of objects.entries()) {
        assert.equal(schema.additionalProperties, false, `${pointerOf(path)} is open`);
        const [known = ''] = Object.keys(schema.properties ?? {});
        const names = ['nonsense', 'a~/b', `${known}s`, '__proto__', 'constructor'];
        for (const name of casesFor(index + place, names)) {
          // As text: an object literal could not have the member `__proto__`.
          const made = bodyWith([...path, 'placeholder'], 1);
          const rawBody = JSON.stringify(made).replace('"placeholder"', JSON.stringify(name));
          const response = await send({ rawBody });
          expectProblem(response, 422, 'unknown_field', rawBody);
          expectOneFault(response, [...path, name], 'unknown_field');
          if (name.startsWith(known)) assert.match(response.json.errors[0].detail, /Did you mean "/);
        }
      }
    }));

  test(`${operationId}: no value is coerced to another type`, () =>
    changesNothing(async () => {
      for (const [place, { path, schema }] of placesOf(body.schema).entries()) {
        for (const value of casesOf(index + place, schema, wrongTypes(schema))) {
          const response = await send({ rawBody: JSON.stringify(bodyWith(path, value)) });
          const label = `${pointerOf(path)}: ${JSON.stringify(value)}`;
          expectProblem(response, 422, 'validation_failed', label);
          const faults = response.json.errors.map(({ pointer }: { pointer: string }) => pointer);
          assert.ok(faults.includes(pointerOf(path)), `${label}: ${response.text}`);
        }
      }
    }));

  test(`${operationId}: all faults are reported at once`, () =>
    changesNothing(async () => {
      // No field is a number that is not whole.
      const names = [...Object.keys(body.schema.properties ?? {}), 'nonsense'];
      const wrong = Object.fromEntries(names.map((name) => [name, 1.5]));
      const response = await send({ rawBody: JSON.stringify(wrong) });
      expectProblem(response, 422, 'validation_failed');
      const pointers = response.json.errors.map(({ pointer }: { pointer: string }) => pointer);
      assert.deepEqual(pointers.sort(), names.map((name) => `/${name}`).sort());
    }));

  test(`${operationId}: a repeated member is malformed JSON, with its position`, () =>
    changesNothing(async () => {
      const [name = ''] = Object.keys(body.schema.properties ?? {});
      const text = JSON.stringify({ [name]: null, ...validBody() });
      const key = /^\{("[^"]+"):/.exec(text)?.[1];
      const rawBody = `{${key}: null,\n ${text.slice(1)}`;
      const response = await send({ rawBody });
      expectProblem(response, 400, 'malformed_json');
      assert.equal(response.json.position, rawBody.lastIndexOf(key ?? ''), response.text);
      assert.equal(response.json.line, 2);
      assert.equal(response.json.column, 2);
    }));
}

/** Declares the test that an operation refuses parameters that it does not have. */
export function testUnknownParameters({ operation, send, changesNothing }: Tried): void {
  test(`${operation.operationId}: an unknown query parameter is refused, with the nearest known one`, () =>
    changesNothing(async () => {
      const refused = await send({ query: requiredQuery(operation, { nonsense: '1' }) });
      expectProblem(refused, 400, 'unknown_parameter');
      assert.equal(refused.json.errors[0].parameter, 'nonsense');
      for (const { name } of operation.queryParameters) {
        for (const misspelt of [`${name}x`, name.toUpperCase()]) {
          const response = await send({ query: `?${misspelt}=1` });
          expectProblem(response, 400, 'unknown_parameter', misspelt);
          assert.ok(response.json.errors[0].detail.includes(`Did you mean "${name}"`), response.text);
        }
      }
    }));
}

/** Declares the test that a write without a declared body refuses one. */
export function testUndeclaredBody({ operation, send, changesNothing }: Tried): void {
  test(`${operation.operationId}: a body is refused, and nothing happens`, () =>
    changesNothing(async () => {
      const sendBody = (rawBody: string, headers: Record<string, string> = json) =>
        send({ rawBody, headers });
      for (const malformed of ['{{{', '{"a":1,"a":2}', ' ', '{}{}']) {
        expectProblem(await sendBody(malformed), 400, 'malformed_json', malformed);
      }
      const unknown = await sendBody('{"zz":1,"a/b":{}}');
      expectProblem(unknown, 422, 'unknown_field');
      assert.deepEqual(
        unknown.json.errors.map(({ pointer }: { pointer: string }) => pointer),
        ['/zz', '/a~1b'],
      );
      for (const other of ['[]', 'null', '1', '"x"', 'false']) {
        const refused = await sendBody(other);
        expectProblem(refused, 422, 'unknown_field', other);
        expectOneFault(refused, [], 'unknown_field');
      }
      for (const type of [
        'text/plain',
        'application/merge-patch+json',
        'application/x-www-form-urlencoded',
      ]) {
        expectProblem(await sendBody('{}', { 'content-type': type }), 415, 'unsupported_media_type', type);
      }
      const many = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, index) => [index, 1])));
      assert.equal((await sendBody(many)).json.errors.length, 100);
    }));
}
