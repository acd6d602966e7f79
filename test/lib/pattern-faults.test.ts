/** Refusals of bodies say in words what is expected, never as a regular expression. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { describeErrors } from '@trellis/schema/validation/faults.ts';
import { formats } from '@trellis/schema/validation/formats.ts';
import { compileSchema } from '@trellis/schema/validation/schema-compiler.ts';
import { bodySchemas } from '../support/operations.ts';

/** What only regular expressions have. */
const regularExpression = /\^|\$$|\(\?|\[[^\]]*-[^\]]*\]|\\[.dpsw+]|\{\d/;

interface Place {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** The schemas of texts with a pattern in a body. */
function patternsIn(schema: JsonSchema, name: string): Place[] {
  return [
    ...(typeof schema.pattern === 'string' ? [{ name, schema }] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([key, member]) =>
      patternsIn(member, `${name}/${key}`),
    ),
    ...(schema.items === undefined ? [] : patternsIn(schema.items, `${name}/0`)),
    ...(schema.anyOf ?? []).flatMap((option) => patternsIn(option, name)),
  ];
}

const places = bodySchemas.flatMap(({ operationId, schema }) => patternsIn(schema, operationId));

test('a text that does not match a pattern is refused with an example', () => {
  const faulty = places.flatMap(({ name, schema }) => {
    const validate = compileSchema(schema, '');
    const text = '\n';
    if (validate(text)) return [`${name} accepts a line end`];
    const faults = describeErrors(validate.errors ?? [], schema, text).filter(
      ({ code }) => code === 'pattern',
    );
    const isClear = faults.every(
      ({ detail = '' }) =>
        /^Must look like the example ".+"\.$/.test(detail) &&
        !/undefined/.test(detail) &&
        !regularExpression.test(detail),
    );
    return faults.length === 1 && isClear ? [] : [`${name}: ${JSON.stringify(faults)}`];
  });
  assert.deepEqual(faulty, []);
  assert.ok(places.length > 5, `${places.length} patterns`);
});

test('formats are explained in words', () => {
  const explained = Object.values(formats).flatMap(({ detail, explain }) => [
    detail,
    ...['', 'x', '1,234', '24,90'].flatMap((text) => explain?.(text) ?? []),
  ]);
  assert.deepEqual(
    explained.filter((detail) => regularExpression.test(detail)),
    [],
  );
  assert.equal(
    formats.decimal?.explain?.('24,9'),
    'Must be a number of at most 15 digits and 6 decimals, for example "19.90".',
  );
  assert.match(formats.decimal?.explain?.('1,234') ?? '', /^May be a thousand/);
});
