/**
 * Tests that strict validators compile the schemas of every document: they refuse formats and keywords that they do not know. The only
 * keywords besides those of JSON Schema are those of OpenAPI and extensions, which begin with `x-`.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createToken } from '../support/identities.ts';
import { type Json, startTestServer } from '../support/server.ts';

const server = await startTestServer();
after(() => server.close());
const { token: sandboxToken } = await createToken(
  server.database.worker,
  server.organization,
  server.ownerId,
  {
    audiences: ['sandbox'],
  },
);

/** Members whose value is data or a list of other things, not a schema or what has one. */
const notSchemas = new Set(['example', 'examples', 'default', 'const', 'enum', 'value']);

/** All schemas by a name: of components, bodies, parameters, headers and messages. */
function schemasOf(document: Json): Record<string, Json> {
  const found: Record<string, Json> = { ...document.components.schemas };
  const walk = (value: Json, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries<Json>(value)) {
      if (notSchemas.has(name)) continue;
      const inside = `${place} ${name.replaceAll('/', '|')}`;
      if ((name === 'schema' || name === 'payload') && typeof inner === 'object') found[inside] = inner;
      else if (inside !== ' components schemas') walk(inner, inside);
    }
  };
  walk(document, '');
  return found;
}

/** Names of extensions anywhere in a document. */
function extensionsOf(document: Json): string[] {
  return [
    ...new Set([...JSON.stringify(document).matchAll(/"(x-[a-z-]+)":/g)].map(([, name]) => name ?? '')),
  ];
}

for (const [path, token, least] of [
  ['/v1/openapi', server.token, 300],
  ['/v1/asyncapi', server.token, 20],
  ['/sandbox/openapi.json', sandboxToken, 5],
  ['/auth/openapi.json', null, 30],
] as const) {
  test(`${path}: a strict validator compiles every schema`, async () => {
    const { json: document } = await server.call('GET', path, { token });
    const ajv = new Ajv.default({ strict: true, strictTypes: false, strictRequired: false });
    addFormats.default(ajv);
    ajv.addVocabulary(['example', 'discriminator', ...extensionsOf(document)]);
    const schemas = schemasOf(document);
    const text = JSON.stringify(schemas).replaceAll('"#/components/schemas/', '"#/$defs/');
    ajv.addSchema({ $id: 'document', $defs: JSON.parse(text) });
    assert.ok(Object.keys(schemas).length >= least, `${Object.keys(schemas).length} schemas`);
    const faults = new Set<string>();
    for (const name of Object.keys(schemas)) {
      try {
        ajv.compile({ $ref: `document#/$defs/${encodeURIComponent(name)}` });
      } catch (error) {
        faults.add(`${name}: ${String(error)}`);
      }
    }
    assert.deepEqual([...faults].slice(0, 20), []);
  });
}

test('a strict validator refuses a format of our own', () => {
  const ajv = new Ajv.default({ strict: true });
  addFormats.default(ajv);
  assert.throws(() => ajv.compile({ type: 'string', format: 'locale' }), /unknown format "locale"/);
});
