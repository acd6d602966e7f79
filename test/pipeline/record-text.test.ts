/**
 * The JSON text written from a row must equal that of the record, whatever the columns contain and whatever is
 * selected.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { flattenFields } from '@trellis/schema/resources/resource.ts';
import { innerReferences, renderRecord } from '@trellis/schema/validation/values.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { createModels } from '@trellis/server/features.ts';
import type { Row } from '@trellis/server/kernel/database/batch.ts';
import { encodeColumn } from '@trellis/server/kernel/database/values.ts';
import { readSelection, selectableNames, writerOf } from '@trellis/server/kernel/http/sparse.ts';
import type { Model } from '@trellis/server/kernel/pipeline/model.ts';
import { decodeRecord } from '@trellis/server/kernel/pipeline/storage.ts';
import { Random } from '../fuzz/random.ts';
import { chooseSeed } from '../support/seed.ts';

const models = [...createModels().values()];

const texts = [
  '',
  'plain',
  'Ünïcödé 😀',
  'quoted "text", {braces} \\ and\nlines',
  '\u2028',
  'null',
  'NULL',
  '}',
];

/** A row as PostgreSQL would send it. */
function makeRow({ resource, storage }: Model, random: Random): Row {
  const fields = new Map(flattenFields(resource));
  const instant = () =>
    random.pick(['2026-11-21 06:02:37.12+00', '2020-01-01 00:00:00+00', '2021-12-31 23:59:59.999+00']);
  const columns = storage.columns.map(({ field, kind }) => {
    if (random.chance(0.2)) return null;
    const list = <T>(make: () => T) => Array.from({ length: random.integer(0, 3) }, make);
    switch (kind) {
      case 'text':
        return random.pick(texts);
      case 'integer':
        return String(random.integer(-5, 100_000));
      case 'boolean':
        return random.pick(['t', 'f']);
      case 'instant':
        return instant();
      case 'uuid':
        return newUuid();
      case 'uuids':
        return encodeColumn(kind, list(newUuid));
      case 'texts':
        return encodeColumn(
          kind,
          list(() => random.pick(texts)),
        );
      default: {
        const declared = fields.get(field);
        const references = declared === undefined ? [] : innerReferences(declared);
        const item = () => ({
          name: random.pick(texts),
          ...Object.fromEntries(references.map(({ key }) => [key, random.pick([newUuid(), null])])),
        });
        const isList = (declared?.schema as { type?: string } | undefined)?.type === 'array';
        return JSON.stringify(isList ? list(item) : item());
      }
    }
  });
  const parent = resource.parent === null ? null : newUuid();
  const users = [random.pick([newUuid(), null]), random.pick([newUuid(), null])];
  return [newUuid(), String(random.integer(1, 9)), instant(), instant(), ...users, parent, ...columns];
}

/** What the names select of a value, told by the paths that lead into it. */
function select(value: unknown, names: readonly string[], path: string): unknown {
  const isWhole = path !== '' && names.some((name) => path === name || path.startsWith(`${name}.`));
  if (isWhole || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => select(item, names, path));
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, member]) => [path === '' ? key : `${path}.${key}`, key, member] as const)
      .filter(([at]) =>
        names.some((name) => name === at || name.startsWith(`${at}.`) || at.startsWith(`${name}.`)),
      )
      .map(([at, key, member]) => [key, select(member, names, at)]),
  );
}

for (const model of models) {
  test(`the text of ${model.resource.name} equals that of the rendered record`, (context) => {
    const random = new Random(chooseSeed(context), model.resource.name);
    const names = selectableNames(model.resource);
    for (let round = 0; round < 200; round += 1) {
      const row = makeRow(model, random);
      const record = renderRecord(model.resource, decodeRecord(model.storage, row));
      assert.equal(writerOf(model, null)(row), JSON.stringify(record));
      const chosen = Array.from({ length: random.integer(1, 5) }, () => random.pick(names));
      const selection = readSelection(model.resource, chosen.join());
      assert.equal(
        writerOf(model, selection)(row),
        JSON.stringify(select(record, ['id', ...chosen], '')),
        chosen.join(),
      );
    }
  });

  test(`fields of ${model.resource.name} that are not selected are not read`, () => {
    for (const [name] of flattenFields(model.resource)) {
      const selection = readSelection(model.resource, name);
      assert.deepEqual([...(selection?.fields ?? [])], [name]);
    }
    assert.deepEqual([...(readSelection(model.resource, 'version')?.fields ?? [])], []);
  });
}
