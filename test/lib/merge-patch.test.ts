import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { applyMergePatch, deepEqual } from '@trellis/schema/values/merge-patch.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

/** RFC 7396, appendix A: original, patch, result. */
const specificationExamples: readonly (readonly [original: string, patch: string, result: string])[] = [
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', '{}'],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', 'null', 'null'],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ['[1,2]', '{"a":"b","c":null}', '{"a":"b"}'],
  ['{}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
];

const anyJson = fastCheck.letrec((tie) => ({
  value: fastCheck.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fastCheck.constantFrom(null, true, 0, 1, 'a', '', []),
    fastCheck.array(tie('value'), { maxLength: 3 }),
    fastCheck.dictionary(fastCheck.constantFrom('a', 'b', '__proto__', 'constructor'), tie('value'), {
      noNullPrototype: true,
    }),
  ),
})).value;

const anyObject = fastCheck.dictionary(
  fastCheck.constantFrom('a', 'b', '__proto__', 'constructor'),
  anyJson,
  { noNullPrototype: true },
);

/** Section 2 of RFC 7396, word for word: `MergePatch(Target, Patch)`. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!(patch instanceof Map)) return patch;
  const result = new Map(target instanceof Map ? target : []);
  for (const [name, value] of patch) {
    if (value === null) result.delete(name);
    else result.set(name, mergePatch(result.get(name), value));
  }
  return result;
}

/** JSON with objects as maps, in which no name means anything to JavaScript. */
function toEntries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toEntries);
  if (typeof value !== 'object' || value === null) return value;
  return new Map(Object.entries(value).map(([name, member]) => [name, toEntries(member)]));
}

function fromEntries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromEntries);
  if (!(value instanceof Map)) return value;
  return Object.fromEntries([...value].map(([name, member]) => [name, fromEntries(member)]));
}

describe('applyMergePatch', () => {
  test('gives the examples of RFC 7396', () => {
    for (const [original, patch, result] of specificationExamples) {
      assert.deepEqual(applyMergePatch(JSON.parse(original), JSON.parse(patch)), JSON.parse(result), patch);
    }
  });

  test('treats __proto__ and inherited names as data', () => {
    const patched = applyMergePatch(
      { a: 1 },
      JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"b": 2}}'),
    );
    assert.equal(JSON.stringify(patched), '{"a":1,"__proto__":{"polluted":1},"constructor":{"b":2}}');
    assert.equal(Object.getPrototypeOf(patched), Object.prototype);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
    const removed = applyMergePatch(patched, JSON.parse('{"__proto__": null, "constructor": {"b": null}}'));
    assert.equal(JSON.stringify(removed), '{"a":1,"constructor":{}}');
  });

  test('leaves both arguments as they were', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyJson, anyJson, (target, patch) => {
        const [targetBefore, patchBefore] = [JSON.stringify(target), JSON.stringify(patch)];
        applyMergePatch(deepFreeze(target), deepFreeze(patch));
        assert.deepEqual([JSON.stringify(target), JSON.stringify(patch)], [targetBefore, patchBefore]);
      }),
    );
  });

  test('does what the pseudo-code of RFC 7396 does', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyJson, anyJson, (target, patch) => {
        assert.deepEqual(
          applyMergePatch(target, patch),
          fromEntries(mergePatch(toEntries(target), toEntries(patch))),
        );
      }),
      2000,
    );
  });

  test('changes only what the patch names', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyObject, anyObject, (target, patch) => {
        const patched = new Map(Object.entries(applyMergePatch(target, patch) as object));
        for (const [name, value] of Object.entries(target)) {
          if (!Object.hasOwn(patch, name)) assert.deepEqual(patched.get(name), value);
        }
        for (const [name, value] of Object.entries(patch)) {
          if (value === null || Array.isArray(value)) assert.deepEqual(patched.get(name), value ?? undefined);
          assert.equal(patched.has(name), value !== null);
        }
        for (const name of patched.keys())
          assert.ok(Object.hasOwn(target, name) || Object.hasOwn(patch, name));
      }),
    );
  });

  test('is idempotent, and leaves no null of the patch', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyJson, anyJson, (target, patch) => {
        const once = applyMergePatch(target, patch);
        assert.deepEqual(applyMergePatch(once, patch), once);
        const fromNothing = applyMergePatch({}, { member: patch });
        assert.ok(!holdsNullMember(fromNothing));
      }),
    );
  });
});

describe('deepEqual', () => {
  test('agrees with the assertion of the same name', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyJson, anyJson, (left, right) => {
        assert.equal(deepEqual(left, right), isDeepEqual(left, right));
        assert.equal(deepEqual(left, JSON.parse(JSON.stringify(left))), true);
      }),
      2000,
    );
  });

  test('ignores the order of members, not of elements', () => {
    assert.equal(deepEqual({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }), true);
    assert.equal(deepEqual([1, 2], [2, 1]), false);
  });

  test('distinguishes values that only look alike', () => {
    const pairs: readonly (readonly [unknown, unknown])[] = [
      [{}, []],
      [{}, null],
      [[], null],
      [1, '1'],
      [1, 1n],
      [{ a: undefined }, { b: undefined }],
      [{ toString: 1 }, {}],
      [{ a: 1 }, { a: 1, b: 2 }],
      [[1], [1, 2]],
      [[1], { 0: 1, length: 1 }],
    ];
    for (const [left, right] of pairs) {
      assert.equal(deepEqual(left, right), false);
      assert.equal(deepEqual(right, left), false);
    }
    assert.equal(deepEqual(9007199254740993n, 9007199254740993n), true);
  });
});

function isDeepEqual(left: unknown, right: unknown): boolean {
  try {
    assert.deepEqual(left, right);
    return true;
  } catch {
    return false;
  }
}

function deepFreeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(deepFreeze);
    Object.freeze(value);
  }
  return value;
}

/** Whether an object outside of any array has a member that is null. */
function holdsNullMember(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return false;
  }
  return Object.values(value).some((member) => member === null || holdsNullMember(member));
}
