/** The texts of the console: every language has all of them, with the same values in them. */
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { eventTypes } from '@trellis/schema/event-types.ts';
import { sharedGermanNames } from '@trellis/schema/resources/german.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { de } from '../../packages/console/src/text/de.ts';
import { en } from '../../packages/console/src/text/en.ts';
import { germanResources, germanValues } from '../../packages/console/src/text/names.de.ts';

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

test('texts of declared actions have the same values in every language', () => {
  for (const { name, secret, actions = {} } of resources) {
    const texts = [secret?.texts, ...Object.values(actions).map((action) => action.texts)];
    const pairs = texts.flatMap((group) => Object.values(group ?? {}));
    const labels = Object.values(actions).flatMap(({ input }) => Object.values(input?.presentation ?? {}));
    pairs.push(...labels.flatMap(({ label, values = [] }) => [label, ...values.map((value) => value.label)]));
    for (const { en: english, de: german } of pairs) {
      assert.deepEqual(valuesIn(german), valuesIn(english), `${name}: ${english}`);
      assert.ok(english.trim() !== '' && german.trim() !== '', name);
    }
    // Before an action there is no response whose members a text could have.
    for (const { label, title = label, about = label } of texts.flatMap((group) =>
      group !== undefined && 'label' in group ? [group] : [],
    ))
      assert.deepEqual(
        [
          valuesIn(label.en),
          ...[title, about].map(({ en: text }) => valuesIn(text).filter((value) => value !== 'name')),
        ].flat(),
        [],
      );
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

test('all declarations have German names, which agree where pages show a name without its resource', () => {
  assert.deepEqual(
    resources.filter(({ german }) => german === undefined).map(({ name }) => name),
    [],
  );
  for (const kind of ['fields', 'values'] as const) {
    const known = new Map<string, string>(Object.entries(sharedGermanNames[kind]));
    const other = resources.flatMap(({ name: resource, german }) =>
      Object.entries(german?.[kind] ?? {}).flatMap(([name, word]) => {
        const before = known.get(name);
        known.set(name, word);
        return before === undefined || before === word ? [] : [`${resource}: ${name}: ${before}, ${word}`];
      }),
    );
    assert.deepEqual(other, []);
  }
});
