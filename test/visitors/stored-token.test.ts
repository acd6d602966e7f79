import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { visitorLimits } from '@trellis/server/features/visitors/limits.ts';
import {
  type StoredTokenKeys,
  sealStoredToken,
  verifyStoredToken,
} from '@trellis/server/features/visitors/stored-token.ts';
import fastCheck from 'fast-check';
import { checkProperty } from '../lib/property.ts';

const oldKeys: StoredTokenKeys = { currentId: 1, keys: new Map([[1, Buffer.alloc(32, 'old')]]) };
const keys: StoredTokenKeys = {
  currentId: 2,
  keys: new Map([...oldKeys.keys, [2, Buffer.alloc(32, 'new')]]),
};
const organizationId = '01890a5d-ac96-774b-bcce-b302099a8057';
const siteId = '01890a5d-ac96-774b-bcce-b302099a8058';
const visitorId = '01890a5d-ac96-774b-bcce-b302099a8059';
const binding = { organizationId, siteId };
const nowMs = Date.parse('2026-03-01T09:00:00Z');
const dayMs = 24 * 3_600_000;

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const anyUuid = fastCheck.uuid();
const anyInstant = fastCheck.integer({ min: 0, max: 2 ** 48 - 1 });

describe('verifyStoredToken', () => {
  test('returns every visitor, from a text short enough for a cookie', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyUuid, anyUuid, anyUuid, anyInstant, (organization, site, visitor, instant) => {
        const where = { organizationId: organization, siteId: site };
        const token = sealStoredToken(keys, where, visitor, instant);
        assert.match(token, /^[\w-]+$/);
        assert.ok(token.length <= visitorLimits.storedTokenCharacters);
        assert.equal(verifyStoredToken(keys, where, token, instant), visitor);
      }),
    );
  });

  test('refuses a token with any one character changed, removed or added', () => {
    const token = sealStoredToken(keys, binding, visitorId, nowMs);
    assert.equal(verifyStoredToken(keys, binding, token, nowMs), visitorId);
    for (let position = 0; position < token.length; position += 1) {
      for (const wrong of [...base64url, '', '=', '\n', 'é', ' A']) {
        if (wrong === token[position]) continue;
        const broken = token.slice(0, position) + wrong + token.slice(position + 1);
        assert.equal(verifyStoredToken(keys, binding, broken, nowMs), null, broken);
      }
    }
    for (const broken of ['', `${token}A`, `${token}=`, `${token}\n`, token + token, 'A'.repeat(100_000)]) {
      assert.equal(verifyStoredToken(keys, binding, broken, nowMs), null);
    }
  });

  test('refuses any other text', (context) => {
    const length = sealStoredToken(keys, binding, visitorId, nowMs).length;
    const likeOne = fastCheck.string({
      unit: fastCheck.constantFrom(...base64url),
      minLength: length,
      maxLength: length,
    });
    checkProperty(
      context,
      fastCheck.property(fastCheck.oneof(fastCheck.string({ unit: 'binary' }), likeOne), (text) => {
        assert.equal(verifyStoredToken(keys, binding, text, nowMs), null);
      }),
    );
  });

  test('is bound to organization and site, also when the two are swapped', () => {
    const token = sealStoredToken(keys, binding, visitorId, nowMs);
    for (const other of [
      { organizationId: siteId, siteId: organizationId },
      { organizationId: visitorId, siteId },
      { organizationId, siteId: visitorId },
    ]) {
      assert.equal(verifyStoredToken(keys, other, token, nowMs), null);
    }
  });

  test('expires after 90 days, and is not from the future', () => {
    const token = sealStoredToken(keys, binding, visitorId, nowMs);
    const verifyAfter = (ms: number) => verifyStoredToken(keys, binding, token, nowMs + ms);
    assert.equal(verifyAfter(90 * dayMs - 1), visitorId);
    assert.equal(verifyAfter(90 * dayMs), null);
    // Two servers' clocks may be some minutes apart.
    assert.equal(verifyAfter(-60_000), visitorId);
    assert.equal(verifyAfter(-3_600_000), null);
  });

  test('stays valid after a change of keys until the old key is removed', () => {
    const token = sealStoredToken(oldKeys, binding, visitorId, nowMs);
    assert.equal(verifyStoredToken(keys, binding, token, nowMs), visitorId);
    const withoutOld = { currentId: 2, keys: new Map([...keys.keys].filter(([id]) => id !== 1)) };
    assert.equal(verifyStoredToken(withoutOld, binding, token, nowMs), null);
    // The same id with another key is another key.
    const replaced = { currentId: 1, keys: new Map([[1, Buffer.alloc(32, 'else')]]) };
    assert.equal(verifyStoredToken(replaced, binding, token, nowMs), null);
  });
});

test('sealStoredToken throws for arguments that only a bug can produce', () => {
  const short: StoredTokenKeys = { currentId: 1, keys: new Map([[1, Buffer.alloc(31)]]) };
  const many: StoredTokenKeys = { currentId: 256, keys: new Map([[256, Buffer.alloc(32)]]) };
  for (const wrong of [{ ...keys, currentId: 3 }, short, many]) {
    assert.throws(() => sealStoredToken(wrong, binding, visitorId, nowMs), TypeError);
  }
  for (const id of ['', 'vis_01h455vb4pex5vsknk084sn02q', visitorId.toUpperCase(), `${visitorId}0`]) {
    assert.throws(() => sealStoredToken(keys, binding, id, nowMs), TypeError);
    assert.throws(() => sealStoredToken(keys, { ...binding, siteId: id }, visitorId, nowMs), TypeError);
  }
  for (const instant of [-1, 0.5, Number.NaN, 2 ** 48]) {
    assert.throws(() => sealStoredToken(keys, binding, visitorId, instant), TypeError);
  }
});
