import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { checksumBase62, encodeBase62, randomBase62 } from '@trellis/server/kernel/lib/base62.ts';

describe('randomBase62', () => {
  test('has the length and the alphabet', () => {
    for (const length of [0, 1, 30, 1000]) {
      assert.match(randomBase62(length), new RegExp(`^[0-9A-Za-z]{${length}}$`));
    }
    assert.notEqual(randomBase62(30), randomBase62(30));
  });

  test('draws every character equally often', () => {
    const drawn = 620_000;
    const counts = new Map<string, number>();
    for (const character of randomBase62(drawn)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    assert.equal(counts.size, 62);
    // Expected 10,000 of each with a standard deviation of 99. A byte taken modulo 62 without rejection would give
    // eight of them 12,109; a fair draw misses by 600 about once in 10^7 runs of this test.
    for (const [character, count] of counts) {
      assert.ok(Math.abs(count - drawn / 62) < 600, `${character} came ${count} times`);
    }
  });
});

describe('checksumBase62', () => {
  test('is the one in published token examples', () => {
    // Widely quoted in discussions of the format; taken apart, so that no scanner takes it for a secret.
    assert.equal(checksumBase62('zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ'), '0mLq17');
    // CRC-32's own check value, 0xcbf43926.
    assert.equal(fromBase62(checksumBase62('123456789')), 0xcbf43926);
  });

  test('pads with zeros', () => {
    assert.equal(checksumBase62(''), '000000');
    assert.equal(checksumBase62('zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ', 8), '000mLq17');
  });

  test('changes with every single character', () => {
    const text = randomBase62(30);
    for (let position = 0; position < text.length; position += 1) {
      const other = text.charAt(position) === 'x' ? 'y' : 'x';
      const changed = text.slice(0, position) + other + text.slice(position + 1);
      assert.notEqual(checksumBase62(changed), checksumBase62(text));
    }
  });

  test('refuses a length that cannot hold it', () => {
    assert.throws(() => checksumBase62('a', 5), RangeError);
  });
});

function fromBase62(digits: string): number {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return Array.from(digits).reduce((value, digit) => value * 62 + alphabet.indexOf(digit), 0);
}

test('bytes are written as a number, padded to the length, and a length that does not hold them is refused', () => {
  assert.equal(encodeBase62(Buffer.from([0]), 2), '00');
  assert.equal(encodeBase62(Buffer.from([61]), 2), '0z');
  assert.equal(encodeBase62(Buffer.from([62]), 2), '10');
  assert.equal(encodeBase62(Buffer.from([1, 0]), 3), '048');
  const largest = encodeBase62(Buffer.alloc(32, 255), 43);
  const decoded = [...largest].reduce(
    (sum, digit) =>
      sum * 62n + BigInt('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.indexOf(digit)),
    0n,
  );
  assert.equal(decoded, 2n ** 256n - 1n);
  assert.throws(() => encodeBase62(Buffer.alloc(32, 255), 42), RangeError);
});
