/**
 * Text formats, by properties. Normalizing a stored text again must not change it: otherwise a record that is read and sent
 * back would change, and a unique value could be used twice.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparisonKey, formats, normalizeFormat } from '@trellis/schema/validation/formats.ts';
import { codePointLength, normalizeText } from '@trellis/schema/values/text.ts';
import fastCheck from 'fast-check';
import { checkProperty } from '../lib/property.ts';

/** Texts that many formats accept, and texts of all scripts, normalized as the texts of bodies are. */
const anyText = fastCheck
  .oneof(
    fastCheck.constantFrom(
      '978-3-16-148410-0',
      '2434-561x',
      'doi:10.1000/ABC',
      'EN-us',
      'https://www.Example.com/a',
    ),
    fastCheck.constantFrom(
      'Jane@Bücher.Example',
      '+49 30 1234567',
      '2020-02',
      'VIP',
      'ΑΣ',
      'İ',
      'H\u0331',
      '\u212a',
    ),
    fastCheck.emailAddress(),
    fastCheck.domain(),
    fastCheck.webUrl(),
    fastCheck.string({ unit: 'binary', maxLength: 12 }),
    fastCheck.string({ unit: 'grapheme', maxLength: 12 }),
  )
  .map(normalizeText);

for (const [name, format] of Object.entries(formats)) {
  test(`${name}: a stored value is accepted, unchanged, and compares as the sent one`, (context) => {
    checkProperty(
      context,
      fastCheck.property(anyText, (text) => {
        if (!format.accepts(text)) return;
        const kept = normalizeFormat(name, text);
        assert.ok(format.accepts(kept), kept);
        assert.equal(normalizeText(kept), kept);
        assert.equal(normalizeFormat(name, kept), kept);
        const key = comparisonKey(name, text, 'DE');
        assert.equal(comparisonKey(name, kept, 'DE'), key);
        if (key !== null) assert.equal(comparisonKey(name, key, null), key);
      }),
      2000,
    );
  });
}

test('labels that differ in case are equal, and none gets longer', (context) => {
  checkProperty(
    context,
    fastCheck.property(anyText, fastCheck.stringMatching(/^[A-Za-z ]{1,8}$/), (text, latin) => {
      assert.ok(codePointLength(normalizeFormat('label', text)) <= codePointLength(text), text);
      assert.equal(
        normalizeFormat('label', latin.toUpperCase()),
        normalizeFormat('label', latin.toLowerCase()),
      );
    }),
    2000,
  );
});

test('a transition is scheduled as many years ahead as is said, to the day', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.parse('2027-03-01T12:00:00Z') });
  const accepts = (instant: string) => formats['schedule-date-time']?.accepts(instant);
  assert.equal(accepts('2032-03-01T12:00:00Z'), true);
  assert.equal(accepts('2032-03-01T12:00:01Z'), false);
  assert.equal(accepts('2027-03-01T12:00:00Z'), false);
});
