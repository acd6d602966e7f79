/** Every cursor that is given can be sent back: none is longer than the parameter may be. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastCheck from 'fast-check';
import { newUuid } from '../../src/lib/ids.ts';
import { findForbiddenCharacter } from '../../src/lib/text.ts';
import type { JsonSchema } from '../../src/pipeline/body-schemas.ts';
import { CursorSealer, maxCursorLength } from '../../src/pipeline/cursor.ts';
import { createInputReader } from '../../src/pipeline/input.ts';
import { resources } from '../../src/resources/index.ts';
import { flattenFields } from '../../src/resources/resource.ts';
import { webhookEndpoints } from '../../src/resources/webhook-endpoints.ts';
import { checkProperty } from '../lib/property.ts';
import { alphabets, longestText } from '../support/longest-values.ts';

const sealer = new CursorSealer(Buffer.alloc(32, 1));
const binding = { organizationId: newUuid(), route: 'list', query: { sort: 'title' } };

/** The longest titles that records can have: of every field that stands for one. */
const titles = resources.flatMap((resource) =>
  flattenFields(resource)
    .filter(([name]) => [resource.titleField, ...(resource.titleFallbacks ?? [])].includes(name))
    .map(([name, { schema }]) => ({ name: `${resource.name}.${name}`, schema: schema as JsonSchema })),
);

for (const { name, schema } of titles) {
  test(`a cursor at the longest ${name} can be sent back`, (context) => {
    const letters = [
      ...Object.values(alphabets).map((letter) => fastCheck.constant(null).map(letter)),
      fastCheck
        .string({ unit: 'binary', minLength: 1, maxLength: 1 })
        .filter((letter) => findForbiddenCharacter(letter) < 0),
    ];
    checkProperty(
      context,
      fastCheck.property(fastCheck.oneof(...letters), (letter) => {
        const title = longestText(schema, () => letter);
        assert.ok(title !== null);
        const position = [title, newUuid()];
        const cursor = sealer.seal(binding, position);
        assert.ok(cursor.length <= maxCursorLength, `${cursor.length} characters`);
        assert.deepEqual(sealer.open(binding, cursor), position);
      }),
      100,
    );
  });
}

test('an address that is kept is no longer than its cursor allows, whatever was sent', (context) => {
  const reader = createInputReader(webhookEndpoints);
  checkProperty(
    context,
    fastCheck.property(fastCheck.string({ unit: 'binary', maxLength: 2_500, size: 'max' }), (text) => {
      const { faults, values } = reader.create({ url: `https://example.com/${text}`, eventTypes: ['*'] });
      if (faults.length > 0) return;
      assert.ok(sealer.seal(binding, [String(values.url), newUuid()]).length <= maxCursorLength);
    }),
  );
});
