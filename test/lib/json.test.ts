import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ParseJsonOptions } from '@trellis/schema/values/json.ts';
import { MalformedJsonError, parseJson, parseJsonInSlices } from '@trellis/schema/values/json.ts';
import fastCheck from 'fast-check';
import { acceptableText, acceptableValue } from './json-values.ts';
import { checkProperty } from './property.ts';

const encoder = new TextEncoder();

function parse(text: string, options?: ParseJsonOptions): unknown {
  return parseJson(encoder.encode(text), options);
}

function failureOf(bytes: Uint8Array, options?: ParseJsonOptions): MalformedJsonError {
  try {
    parseJson(bytes, options);
  } catch (error) {
    assert.ok(error instanceof MalformedJsonError, `threw ${error}`);
    return error;
  }
  assert.fail(`accepted ${JSON.stringify(new TextDecoder().decode(bytes))}`);
}

/** Asserts that a text is refused at a position; the message is for people, so only its gist is compared. */
function assertRefused(text: string, position: number, reason: RegExp, options?: ParseJsonOptions): void {
  const failure = failureOf(encoder.encode(text), options);
  assert.match(failure.reason, reason, text);
  assert.equal(failure.position, position, `${text}: ${failure.message}`);
}

describe('parseJson', () => {
  test('agrees with JSON.parse on every valid text', (context) => {
    const indentation = fastCheck.constantFrom('', ' ', '\t', '\r\n');
    checkProperty(
      context,
      fastCheck.property(acceptableValue, indentation, (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        assert.deepEqual(parse(text), JSON.parse(text));
        assert.equal(JSON.stringify(parse(text), null, indent), text);
      }),
      2000,
    );
  });

  test('agrees with JSON.parse on strings written with any escapes', (context) => {
    const piece = fastCheck.oneof(
      fastCheck.constantFrom(
        '\\"',
        '\\\\',
        '\\/',
        '\\b',
        '\\f',
        '\\n',
        '\\r',
        '\\t',
        '\\ud83d\\ude00',
        'é',
        '😀',
      ),
      fastCheck
        .integer({ min: 1, max: 0xd7ff })
        .map((code) => `\\u${code.toString(16).padStart(4, '0').toUpperCase()}`),
      fastCheck.stringMatching(/^[ !#-[\]-~]*$/),
    );
    checkProperty(
      context,
      fastCheck.property(fastCheck.array(piece), (pieces) => {
        const text = `["${pieces.join('')}"]`;
        assert.deepEqual(parse(text), JSON.parse(text));
      }),
    );
  });

  test('accepts the same texts as JSON.parse, whatever is changed in a valid one', (context) => {
    const edit = fastCheck.constantFrom(
      ...[
        '',
        '"',
        '\\',
        ',',
        ':',
        '{',
        '}',
        '[',
        ']',
        '0',
        '-',
        '+',
        '.',
        'e',
        'E',
        't',
        ' ',
        '\n',
        '\u000b',
        '\u00a0',
      ],
      ...['\\u00', '//', "'", 'NaN', '\u0001', '\u2028'],
    );
    checkProperty(
      context,
      fastCheck.property(
        acceptableValue,
        fastCheck.nat(),
        fastCheck.nat(2),
        edit,
        (value, place, length, piece) => {
          const text = JSON.stringify(value);
          const start = place % (text.length + 1);
          const edited = (text.slice(0, start) + piece + text.slice(start + length)).toWellFormed();
          assertSameVerdict(edited);
        },
      ),
      3000,
    );
  });

  test('agrees with JSON.parse on short texts of the characters that numbers are made of', (context) => {
    checkProperty(
      context,
      fastCheck.property(fastCheck.stringMatching(/^[-+.eE012]{1,6}$/), assertSameVerdict),
      3000,
    );
  });

  test('reads numbers exactly as JSON.parse does', () => {
    const numbers = [
      '0',
      '-0',
      '1e5',
      '1E+5',
      '1e-400',
      '-1.5e-3',
      '0.1',
      '9007199254740993',
      '999999999999999',
    ];
    for (const text of [
      ...numbers,
      '-999999999999999',
      '1234567890123456',
      '1.7976931348623157e308',
      '5e-324',
    ]) {
      assert.ok(Object.is(parse(text), JSON.parse(text)), text);
    }
  });

  test('returns integers as bigint on request, other numbers as number', () => {
    const text = '[9223372036854775807, -9223372036854775808, 0, -0, 12, 1.0, 1e2, 9007199254740993]';
    assert.deepEqual(parse(text, { integers: 'bigint' }), [
      9223372036854775807n,
      -9223372036854775808n,
      0n,
      -0,
      12n,
      1,
      100,
      9007199254740993n,
    ]);
  });

  test('keeps __proto__ as an own property', () => {
    const parsed = parse('{"__proto__": {"polluted": true}, "a": 1}');
    assert.ok(typeof parsed === 'object' && parsed !== null);
    assert.equal(Object.getPrototypeOf(parsed), Object.prototype);
    assert.deepEqual(Object.keys(parsed), ['__proto__', 'a']);
    assert.equal(Reflect.get(parsed, 'polluted'), undefined);
    assertRefused('{"__proto__": 1, "__proto__": 2}', 17, /"__proto__" occurs twice/);
  });

  test('does not mistake inherited names for duplicates', () => {
    assert.deepEqual(parse('{"toString": 1, "hasOwnProperty": 2}'), { toString: 1, hasOwnProperty: 2 });
  });

  test('refuses an empty body and a byte order mark', () => {
    assertRefused('', 0, /empty/);
    assertRefused(' \n\t', 3, /empty/);
    assertRefused('\ufeff{}', 0, /byte order mark/);
  });

  test('refuses equal keys, however they are written, and names them', () => {
    assertRefused('{"a": 1, "b": 2, "a": 3}', 17, /"a" occurs twice/);
    assertRefused('[{"x": {"a": 1, "\\u0061": 3}}]', 16, /"a" occurs twice/);
    assertRefused('{"": 1, "": 3}', 8, /"" occurs twice/);
    assertRefused(
      `{"${'k'.repeat(500)}": 1, "${'k'.repeat(500)}": 3}`,
      508,
      /^The key "k{64}…" occurs twice/,
    );
    assert.deepEqual(parse('{"a": {"a": 1}, "b": {"a": 1}}'), { a: { a: 1 }, b: { a: 1 } });
  });

  test('refuses equal keys anywhere in any value', (context) => {
    const key = acceptableText.map((text) => JSON.stringify(text));
    checkProperty(
      context,
      fastCheck.property(key, acceptableValue, acceptableValue, (written, first, second) => {
        const beginning = `[0, {${written}: ${JSON.stringify(first)}, `;
        assertRefused(
          `${beginning}${written}: ${JSON.stringify(second)}}]`,
          beginning.length,
          /occurs twice/,
        );
      }),
    );
  });

  test('refuses nesting beyond the limit, at the bracket that exceeds it', () => {
    const nest = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
    const nestObjects = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    assert.ok(parse(nest(32)));
    assertRefused(nest(33), 32, /at most 32 deep/);
    assert.ok(parse(nestObjects(32)));
    assertRefused(nestObjects(33), 32 * 5, /at most 32 deep/);
    assertRefused('['.repeat(1_000_000), 32, /at most 32 deep/);
    assertRefused('[[[1]]]', 2, /at most 2 deep/, { maxDepth: 2 });
    assert.ok(parse(nest(1000), { maxDepth: 1000 }));
    assert.ok(
      parse(`[${Array(100).fill('[]').join()}]`, { maxDepth: 2 }),
      'brackets beside each other are not nested',
    );
    for (const maxDepth of [0, 1001, 1.5, Number.NaN]) {
      assert.throws(() => parse('1', { maxDepth }), RangeError);
    }
  });

  test('refuses NUL and other bare control characters', () => {
    assertRefused('"a\\u0000"', 2, /NUL/);
    assertRefused('{"a\\u0000": 1}', 3, /NUL/);
    assertRefused('"a\u0000"', 2, /NUL/);
    assertRefused('"a\\n\u0000"', 4, /NUL/);
    assertRefused('"a\nb"', 2, /write \\u000a/);
    assertRefused('"\\t\tb"', 3, /write \\u0009/);
    assertRefused('\u0000', 0, /Expected a JSON value/);
    assert.equal(parse('"\\\\u0000"'), '\\u0000');
    assert.equal(parse('"\u007f\u0085"'), '\u007f\u0085');
  });

  test('refuses halves of surrogate pairs', () => {
    const halves = [
      '\\ud83d',
      '\\ude00',
      '\\ud83dx',
      '\\ud83d\\n',
      '\\ud83d\\u0041',
      '\\ud83d\\ud83d\\ude00',
      '\\ude00\\ud83d',
      '\\ude00\\ude00',
      '\\ud83d\\ue000',
    ];
    for (const half of halves) {
      assertRefused(`["ok", "é${half}"]`, 9, /half of a surrogate pair/);
      assertRefused(`{"é${half}": 1}`, 3, /half of a surrogate pair/);
    }
    assert.equal(parse('"\\uD83D\\uDE00"'), '😀');
  });

  test('reads strings of any number of escapes', () => {
    const text = '"\n'.repeat(1_000_000);
    assert.equal(parse(JSON.stringify(text)), text);
  });

  test('refuses bytes that are not UTF-8, at the first of them', () => {
    const invalid: readonly number[][] = [
      [0xff],
      [0x80],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
      [0xe2, 0x82],
      [0xc3, 0x28],
    ];
    for (const bytes of invalid) {
      // The replacement character itself is valid and must not be mistaken for the fault.
      const body = Buffer.concat([
        Buffer.from('["é\ufffd😀\ufffd'),
        Uint8Array.from(bytes),
        Buffer.from('"]'),
      ]);
      const failure = failureOf(body);
      assert.match(failure.reason, /not valid UTF-8/);
      assert.equal(failure.position, 7, Buffer.from(bytes).toString('hex'));
    }
  });

  test('refuses invalid bytes anywhere in any value', (context) => {
    checkProperty(
      context,
      fastCheck.property(acceptableValue, fastCheck.nat(), (value, place) => {
        const text = JSON.stringify(value);
        const before = Array.from(text)
          .slice(0, place % (Array.from(text).length + 1))
          .join('');
        const body = Buffer.concat([
          Buffer.from(before),
          Buffer.of(0xff),
          Buffer.from(text.slice(before.length)),
        ]);
        assert.equal(failureOf(body).position, before.length);
      }),
    );
  });

  test('refuses numbers beyond a double, also when integers are kept exactly', () => {
    assertRefused('[1, 1e400]', 4, /too large/);
    assertRefused('-1e309', 0, /too large/);
    assertRefused('9'.repeat(400), 0, /too large/);
    assertRefused('9'.repeat(1_000_000), 0, /too large/, { integers: 'bigint' });
  });

  test('says what was expected, and where', () => {
    assertRefused('{"a": 1} x', 9, /end of the body.*"x"/);
    assertRefused('1 2', 2, /end of the body/);
    assertRefused('{"a" 1}', 5, /Expected ":" after the key "a"/);
    assertRefused('{"a": 1 "b": 2}', 8, /Expected "," or "}"/);
    assertRefused('[1 2]', 3, /Expected "," or "]"/);
    assertRefused('[1,]', 3, /Expected a JSON value, found "]"/);
    assertRefused('{"a": 1,}', 8, /Expected a key/);
    assertRefused("{'a': 1}", 1, /double quotes/);
    assertRefused('{a: 1}', 1, /double quotes/);
    assertRefused('[1', 2, /the end of the body/);
    assertRefused('["abc', 1, /never closed/);
    assertRefused('["abc\\n', 1, /never closed/);
    assertRefused('"a\\x"', 2, /Unknown escape/);
    assertRefused('"a\\', 2, /Unknown escape/);
    assertRefused('"\\u12G4"', 1, /four hexadecimal digits/);
    assertRefused('[01]', 1, /begin with 0/);
    assertRefused('[-01]', 2, /begin with 0/);
    assertRefused('[-]', 2, /Expected a digit/);
    assertRefused('[1.]', 3, /Expected a digit/);
    assertRefused('[1e+]', 4, /Expected a digit/);
    assertRefused('[12.]', 4, /Expected a digit/);
    assertRefused('[1.25e]', 6, /Expected a digit/);
    assertRefused('"\\ud83d\\u12G4"', 1, /half of a surrogate pair/);
    assertRefused('[+1]', 1, /Expected a JSON value/);
    assertRefused('[.5]', 1, /Expected a JSON value/);
    assertRefused('[NaN]', 1, /Expected a JSON value/);
    assertRefused('[nul]', 1, /Expected a JSON value/);
    assertRefused('truex', 4, /end of the body/);
    assertRefused('😀', 0, /found "😀"/);
  });

  test('counts lines and columns from 1', () => {
    const failure = failureOf(encoder.encode('{\n  "a": 1,\r\n  "é": x\n}'));
    assert.deepEqual([failure.line, failure.column, failure.position], [3, 8, 20]);
    assert.equal(failure.message, 'Expected a JSON value, found "x" (line 3, column 8)');
    const first = failureOf(encoder.encode('x\n'));
    assert.deepEqual([first.line, first.column], [1, 1]);
    const newLine = failureOf(encoder.encode('"\n"'));
    assert.deepEqual([newLine.line, newLine.column], [1, 2]);
  });
});

/** Asserts that both parsers accept a text and read the same, or that both refuse it. */
function assertSameVerdict(text: string): void {
  let expected: unknown;
  try {
    expected = JSON.parse(text);
  } catch {
    failureOf(encoder.encode(text));
    return;
  }
  try {
    assert.deepEqual(parse(text), expected);
  } catch (error) {
    // What we refuse beyond the grammar.
    const ours = /occurs twice|NUL|too large|surrogate pair/;
    assert.ok(error instanceof MalformedJsonError && ours.test(error.reason), `${text}: ${error}`);
  }
}

describe('in slices', () => {
  test('a large text gives the same value, with a pause for each 32 kB of it', async () => {
    const value = { items: Array.from({ length: 20_000 }, (_, number) => ({ number, text: 'é"' })) };
    const bytes = encoder.encode(JSON.stringify(value));
    let pauses = 0;
    const parsed = await parseJsonInSlices(bytes, {}, () => {
      pauses += 1;
      return pauses % 2 === 0 ? undefined : Promise.resolve();
    });
    assert.deepEqual(parsed, value);
    assert.equal(pauses, Math.floor(JSON.stringify(value).length / 32_768));
  });

  test('a fault is found at any position', async () => {
    const bytes = encoder.encode(`[${'1,'.repeat(50_000)}x]`);
    await assert.rejects(
      parseJsonInSlices(bytes, {}, () => undefined),
      (error) => error instanceof MalformedJsonError && error.position === 100_001,
    );
  });
});

describe('with a limit of kept items', () => {
  const options = { mostKept: 3 };

  test('the first items and members are kept, at each depth', () => {
    assert.deepEqual(parse('[[1,2,3,4],5,6,7,8]', options), [[1, 2, 3], 5, 6]);
    assert.deepEqual(parse('{"a":1,"b":{"w":1,"x":2,"y":3,"z":4},"c":3,"d":4,"e":5}', options), {
      a: 1,
      b: { w: 1, x: 2, y: 3 },
      c: 3,
    });
  });

  test('dropped items are checked like all others', () => {
    assertRefused('[1,2,3,4,x]', 9, /Expected a JSON value/, options);
    assertRefused('{"a":1,"b":2,"c":3,"d":4,"d":5}', 25, /occurs twice/, options);
    assertRefused('{"a":1,"b":2,"c":3,"d":4,"a":5}', 25, /occurs twice/, options);
  });
});
