/** The validators that the console's build compiles in advance: they find the faults that the server finds. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { writeValidators } from '@trellis/console/build/validators.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import {
  createBodySchema,
  type JsonSchema,
  patchBodySchema,
} from '@trellis/schema/validation/body-schemas.ts';
import { compileSchema } from '@trellis/schema/validation/schema-compiler.ts';

/** The module's imports are found from within the repository only. */
const cache = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url));

/** The example of a field, and values of wrong kinds and sizes. */
function valuesFor(schema: JsonSchema): readonly unknown[] {
  const { examples = [] } = schema;
  const long = 'x'.repeat('x-max-bytes' in schema ? 600_000 : 20_000);
  const wrong = [null, true, -1, 1e9, '', ' ', long, 'e\u0301', [], [null, null], ['a', 'a'], {}, { a: 1 }];
  return [...examples, ...wrong];
}

/** Bodies that have one field each; those of a group have the group around them. */
function listBodies({ properties = {} }: JsonSchema): readonly object[] {
  return Object.entries(properties).flatMap(([name, field]) => [
    ...valuesFor(field).map((value) => ({ [name]: value })),
    ...listBodies(field).map((inner) => ({ [name]: inner })),
  ]);
}

/** The schemas of all bodies with the names that `createInputReader` gives them. */
const listSchemas = () =>
  resources.flatMap((resource) => [
    { name: `${resource.name} create`, schema: createBodySchema(resource) },
    { name: `${resource.name} patch`, schema: patchBodySchema(resource) },
  ]);

test('for every field of every resource they report the same faults', async () => {
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'validators-'));
  try {
    const file = join(folder, 'validators.mjs');
    await writeFile(file, writeValidators(resources));
    const compiled: { readonly compileSchema: typeof compileSchema } = await import(pathToFileURL(file).href);
    for (const { name, schema } of listSchemas()) {
      const expected = compileSchema(schema);
      const validate = compiled.compileSchema(schema, name);
      for (const body of [{}, ...listBodies(schema)]) {
        const isValid = expected(body);
        assert.equal(validate(body), isValid, JSON.stringify(body).slice(0, 200));
        assert.deepEqual(validate.errors, expected.errors, JSON.stringify(body).slice(0, 200));
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
