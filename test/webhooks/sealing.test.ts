/** A sealed secret opens for its endpoint and under its key only, and shows nothing. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { SealBrokenError } from '@trellis/server/lib/sealer.ts';
import { SecretSealer } from '@trellis/server/webhooks/sealing.ts';

const key = randomBytes(32);
const owner = { organizationId: 'organization', endpointId: 'endpoint' };

test('a sealed secret can be decrypted, also by another process with the same key', () => {
  const sealed = new SecretSealer(key).seal('whsec_secret', owner);
  assert.equal(new SecretSealer(Buffer.from(key)).open(sealed, owner), 'whsec_secret');
});

test('the same secret is never sealed into the same text, and does not show', () => {
  const sealer = new SecretSealer(key);
  const sealed = Array.from({ length: 50 }, () => sealer.seal('whsec_secret', owner));
  assert.equal(new Set(sealed).size, 50);
  for (const text of sealed) assert.ok(!Buffer.from(text, 'base64').toString('latin1').includes('secret'));
});

test('another key, organization or endpoint does not open it', () => {
  const sealed = new SecretSealer(key).seal('whsec_secret', owner);
  assert.throws(() => new SecretSealer(randomBytes(32)).open(sealed, owner), SealBrokenError);
  for (const other of [
    { ...owner, organizationId: 'other' },
    { ...owner, endpointId: 'other' },
  ])
    assert.throws(() => new SecretSealer(key).open(sealed, other), SealBrokenError);
});

test('a text that was changed in any bit, or cut, does not open', () => {
  const sealer = new SecretSealer(key);
  const bytes = Buffer.from(sealer.seal('whsec_secret', owner), 'base64');
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    assert.throws(() => sealer.open(changed.toString('base64'), owner), SealBrokenError, `byte ${index}`);
    assert.throws(() => sealer.open(bytes.subarray(0, index).toString('base64'), owner), SealBrokenError);
  }
});

test('a key that is too short is refused', () => {
  assert.throws(() => new SecretSealer(randomBytes(31)), RangeError);
});
