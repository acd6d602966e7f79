/** Sealing of webhook secrets: a sealed secret opens only for its endpoint and with its key. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { SecretSealer } from '@trellis/server/features/webhooks/sealing.ts';
import { SealBrokenError } from '@trellis/server/kernel/lib/sealer.ts';

const key = randomBytes(32);
const owner = { organizationId: 'organization', endpointId: 'endpoint' };

test('a sealed secret can be decrypted, also by another process with the same key', () => {
  const sealed = new SecretSealer(key).seal('whsec_secret', owner);
  assert.equal(new SecretSealer(Buffer.from(key)).open(sealed, owner), 'whsec_secret');
});

test('sealing a secret twice gives different texts that do not contain it', () => {
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

test('a text that was changed in any bit, or truncated, does not open', () => {
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
