/** The builders of schemas build what those of TypeBox build, in the same order of members. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from '@trellis/schema/resources/type.ts';
import { Type as TypeBox } from 'typebox';

/** One of everything that the declarations use, nested in each other. */
function build(type: typeof Type) {
  const text = type.String({ minLength: 1, examples: ['a'] });
  const choice = type.Unsafe<'A' | 'B'>({ type: 'string', enum: ['A', 'B'], description: 'One.' });
  const nullable = type.Union([text, type.Null()], { description: 'A text or nothing.' });
  return type.Object(
    {
      text,
      choice,
      plain: type.String(),
      list: type.Array(choice, { maxItems: 3 }),
      bare: type.Array(type.Boolean()),
      maybe: type.Optional(nullable),
      nullable,
      all: type.Optional(
        type.Object({
          none: type.Optional(type.Number({ minimum: 0.5 })),
          nothing: type.Null({ title: 'x' }),
        }),
      ),
      empty: type.Object({ only: type.Optional(type.Integer({ maximum: 7 })) }),
      flag: type.Optional(type.Boolean({ default: false })),
    },
    { additionalProperties: false, description: 'All of it.' },
  );
}

test('schemas are those of TypeBox', () => {
  assert.equal(JSON.stringify(build(Type)), JSON.stringify(build(TypeBox)));
});

test('there is no builder that the comparison leaves out', () => {
  const used: string[] = [];
  const noting = new Proxy(Type, {
    get(target, name, self) {
      used.push(String(name));
      return Reflect.get(target, name, self);
    },
  });
  build(noting);
  assert.deepEqual([...new Set(used)].sort(), Object.keys(Type).sort());
});
