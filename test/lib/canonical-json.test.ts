import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalizeJson } from '@trellis/schema/values/canonical-json.ts';
import { parseJson } from '@trellis/schema/values/json.ts';
import fastCheck from 'fast-check';
import { acceptableValue } from './json-values.ts';
import { checkProperty } from './property.ts';

function parse(text: string): unknown {
  return parseJson(new TextEncoder().encode(text));
}

describe('canonicalizeJson', () => {
  test('gives the example of RFC 8785, section 3.2', () => {
    const value = parse(`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`);
    assert.equal(
      canonicalizeJson(value),
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('sorts keys by UTF-16 code units as in RFC 8785, section 3.2.3', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    assert.equal(canonicalizeJson(value), '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
  });

  test('writes digits of a bigint and -0 as 0', () => {
    assert.equal(
      canonicalizeJson([9223372036854775807n, -0, { b: 1, a: 2 }]),
      '[9223372036854775807,0,{"a":2,"b":1}]',
    );
  });

  test('is the same for every order of keys and loses no data', (context) => {
    checkProperty(
      context,
      fastCheck.property(acceptableValue, (value) => {
        const canonical = canonicalizeJson(value);
        assert.equal(canonicalizeJson(reverseKeys(value)), canonical);
        assert.equal(canonicalizeJson(parse(canonical)), canonical);
      }),
    );
  });

  test('refuses values that JSON cannot express', () => {
    for (const value of [
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      () => 1,
      new Date(),
      Symbol('a'),
      '\ud800',
    ]) {
      assert.throws(() => canonicalizeJson({ a: [value] }), TypeError);
    }
    assert.throws(() => canonicalizeJson({ '\ud800': 1 }), TypeError);
  });
});

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(reverseKeys);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const entries = Object.entries(value).map(([key, member]) => [key, reverseKeys(member)] as const);
  return Object.fromEntries(entries.reverse());
}
