/** The texts of the console: every language has all of them, with the same values in them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resources } from '@trellis/schema/resources/index.ts';
import { flattenFields } from '@trellis/schema/resources/resource.ts';
import { de } from '../../packages/console/src/text/de.ts';
import { en } from '../../packages/console/src/text/en.ts';
import { germanFields, germanResources, germanValues } from '../../packages/console/src/text/names.de.ts';

/** Names of the values in a text. */
function valuesIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\{(\w+)[,}]/g)].map(([, name]) => name ?? ''))].sort();
}

test('German has the texts of English, with the same values in them', () => {
  const german: Readonly<Record<string, string>> = de;
  assert.deepEqual(Object.keys(de).sort(), Object.keys(en).sort());
  for (const [id, text] of Object.entries(en)) {
    assert.deepEqual(valuesIn(german[id] ?? ''), valuesIn(text), id);
    assert.notEqual(german[id]?.trim(), '', id);
  }
});

interface Schema {
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** The names of members and the fixed values in a schema. */
function namesIn(schema: Schema | undefined): { members: string[]; values: string[] } {
  if (schema === undefined) return { members: [], values: [] };
  const inner = [schema.items, ...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? [])].map(
    namesIn,
  );
  return {
    members: [...Object.keys(schema.properties ?? {}), ...inner.flatMap(({ members }) => members)],
    values: [...(schema.enum ?? []).map(String), ...inner.flatMap(({ values }) => values)],
  };
}

test('resources, fields and values have German names', () => {
  const missing = resources.flatMap((resource) => {
    const fields = flattenFields(resource).map(([name, { schema }]) => ({
      name,
      ...namesIn(schema as Schema),
    }));
    const names = [
      ...Object.keys(resource.fields),
      ...Object.keys(resource.filters),
      ...fields.flatMap(({ name, members }) => [name.split('.').at(-1) ?? '', ...members]),
    ];
    return [
      ...(germanResources[resource.name] === undefined ? [resource.name] : []),
      ...names.filter((name) => germanFields[name] === undefined),
      ...fields.flatMap(({ values }) => values.filter((value) => germanValues[value] === undefined)),
      ...Object.keys(resource.events ?? {}).filter(
        (event) => germanValues[event.toUpperCase()] === undefined,
      ),
    ];
  });
  assert.deepEqual([...new Set(missing)], []);
});
