import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countBytes } from '@trellis/schema/values/bytes.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

/** Characters of one to four bytes, and halves of surrogate pairs, which meet in some texts. */
const units = fastCheck.constantFrom('a', 'é', '字', '😀', '\ud83d', '\ude00', '\u0000', '\ufffd');
const texts = fastCheck.array(units, { maxLength: 40 }).map((parts) => parts.join(''));

test('the bytes of a text are those of its UTF-8, whatever its characters', (context) => {
  const anyText = fastCheck.oneof(texts, fastCheck.string({ unit: 'binary' }));
  checkProperty(
    context,
    fastCheck.property(anyText, (text) => assert.equal(countBytes(text), Buffer.byteLength(text))),
  );
});

test('the bytes of a long text are those of its UTF-8, wherever its parts end', (context) => {
  const repeated = fastCheck.tuple(texts, fastCheck.integer({ min: 1_000, max: 4_000 }));
  const property = fastCheck.property(texts, repeated, texts, (before, [part, times], after) => {
    const text = `${before}${part.repeat(times)}${after}`;
    assert.equal(countBytes(text), Buffer.byteLength(text));
  });
  checkProperty(context, property, 200);
});

test('counting the bytes of a long text copies none of it', () => {
  const text = 'word '.repeat(200_000);
  const before = process.memoryUsage().arrayBuffers;
  for (let round = 0; round < 20; round += 1) assert.equal(countBytes(text), text.length);
  assert.ok(process.memoryUsage().arrayBuffers - before < text.length);
});
