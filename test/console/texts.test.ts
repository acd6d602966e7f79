/** The texts of the console: every language has all of them, with the same values in them. */
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { eventTypes } from '@trellis/schema/event-types.ts';
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

test('texts of features have the same values in every language', async () => {
  const source = fileURLToPath(new URL('../../packages/console/src/', import.meta.url));
  const files = await Array.fromAsync(glob('**/texts.ts', { cwd: source }));
  assert.ok(files.length > 10);
  for (const file of files) {
    const { texts } = (await import(pathToFileURL(`${source}${file}`).href)) as {
      texts: Readonly<Record<string, { readonly en: string; readonly de: string }>>;
    };
    for (const [id, { en: english, de: german }] of Object.entries(texts)) {
      assert.deepEqual(valuesIn(german), valuesIn(english), `${file} ${id}`);
      assert.ok(english.trim() !== '' && german.trim() !== '', `${file} ${id}`);
    }
  }
});

/** Whether sources name a text, or make its id of a first part and something that they know while they run. */
function isNamed(id: string, sources: readonly string[]): boolean {
  const first = id.split('.')[0] ?? id;
  return sources.some((source) => source.includes(`'${id}'`) || source.includes(`\`${first}.\${`));
}

test('every text is used', async () => {
  const root = fileURLToPath(new URL('../../packages/console/src/', import.meta.url));
  const sources = new Map<string, string>();
  for await (const file of glob('**/*.{ts,tsx}', { cwd: root }))
    if (!/(?:^text|\/texts\.ts$)/.test(file)) sources.set(file, await readFile(`${root}${file}`, 'utf8'));
  const unused = Object.keys(en).filter((id) => !isNamed(id, [...sources.values()]));
  for await (const file of glob('**/texts.ts', { cwd: root })) {
    const { texts } = (await import(pathToFileURL(`${root}${file}`).href)) as { texts: object };
    const feature = `${dirname(file)}/`;
    const users = [...sources].filter(
      ([path, source]) => path.startsWith(feature) || source.includes(`/${feature}texts.ts'`),
    );
    const near = users.map(([, source]) => source);
    unused.push(...Object.keys(texts).flatMap((id) => (isNamed(id, near) ? [] : [`${file}: ${id}`])));
  }
  assert.deepEqual(unused, []);
});

test('every type of events has a German name', () => {
  const missing = eventTypes.flatMap(({ type }) => {
    const [kind = '', action = ''] = type.split('.');
    const name = resources.find(({ singular }) => singular === kind)?.name ?? `${kind}s`;
    return [
      ...(germanResources[name] === undefined ? [kind] : []),
      ...(germanValues[action.toUpperCase()] === undefined ? [action] : []),
    ];
  });
  assert.deepEqual([...new Set(missing)], []);
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
      ...fields.flatMap(({ values }) =>
        values.filter((value) => (germanValues[value] ?? germanResources[value]) === undefined),
      ),
      ...Object.keys(resource.events ?? {}).filter(
        (event) => germanValues[event.toUpperCase()] === undefined,
      ),
    ];
  });
  assert.deepEqual([...new Set(missing)], []);
});
