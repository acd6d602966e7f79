/** Lengths of cursors: none is longer than the parameter allows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resources } from '@trellis/schema/resources/index.ts';
import { flattenFields } from '@trellis/schema/resources/resource.ts';
import { webhookEndpoints } from '@trellis/schema/resources/webhook-endpoints.ts';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { createInputReader } from '@trellis/schema/validation/input.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { findForbiddenCharacter } from '@trellis/schema/values/text.ts';
import { CursorSealer, maxCursorLength } from '@trellis/server/kernel/pipeline/cursor.ts';
import fastCheck from 'fast-check';
import { checkProperty } from '../lib/property.ts';
import { alphabets, longestText } from '../support/longest-values.ts';

const sealer = new CursorSealer(Buffer.alloc(32, 1));
const binding = { organizationId: newUuid(), route: 'list', query: { sort: 'title' } };

/** The fields that are used as a title, of every resource. */
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

test('no stored address is too long for a cursor', (context) => {
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
