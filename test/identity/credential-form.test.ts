/** The form of tokens and publishable keys: what is accepted before any query, and what is not. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { encodeId, newUuid } from '@trellis/schema/values/ids.ts';
import { makePublishableKey, parsePublishableKey } from '@trellis/server/kernel/identity/publishable-key.ts';
import { makeToken, parseToken } from '@trellis/server/kernel/identity/tokens.ts';
import { checksumBase62 } from '@trellis/server/kernel/lib/base62.ts';
import fastCheck from 'fast-check';
import { checkProperty } from '../lib/property.ts';
import { withOtherOrganization } from '../support/credentials.ts';

const kinds = [
  { prefix: 'trl_pat_', make: makeToken, parse: parseToken },
  {
    prefix: 'trl_pk_',
    make: makePublishableKey,
    parse: (text: string) => parsePublishableKey(text)?.organizationId ?? null,
  },
] as const;

/** Replaces the checksum by the right one. */
function seal(text: string): string {
  const body = text.slice(0, -6);
  return `${body}${checksumBase62(body)}`;
}

for (const { prefix, make, parse } of kinds) {
  describe(prefix, () => {
    test('names its organization behind the random characters', (context) => {
      checkProperty(
        context,
        fastCheck.property(fastCheck.uuid(), (id) => {
          const named = make(id);
          assert.equal(parse(named), id);
          const idText = encodeId('org', id).slice('org_'.length);
          assert.match(named, new RegExp(`^${prefix}[0-9A-Za-z]{30}${idText}[0-9A-Za-z]{6}$`));
        }),
      );
    });

    test('has random characters of its own, also among its first twelve', () => {
      const id = newUuid();
      const made = Array.from({ length: 500 }, () => make(id));
      assert.equal(new Set(made.map((text) => text.slice(prefix.length, prefix.length + 30))).size, 500);
      assert.ok(new Set(made.map((text) => text.slice(0, 12))).size > 490);
    });

    test('with any one character mistyped, missing or added is refused', () => {
      const text = make(newUuid());
      for (let place = 0; place < text.length; place += 1) {
        for (const wrong of ['', '-', 'é', ' ', '\n', text[place] === 'x' ? 'y' : 'x']) {
          const broken = text.slice(0, place) + wrong + text.slice(place + 1);
          assert.equal(parse(broken), null, JSON.stringify(broken));
        }
      }
      for (const broken of [`${text}x`, `${text}\n`, ` ${text}`, text.slice(0, -1), text.slice(0, 44)])
        assert.equal(parse(broken), null, JSON.stringify(broken));
    });

    test('with an organization that is no id is refused, also with the right checksum', () => {
      const text = make(newUuid());
      const start = prefix.length + 30;
      // Beyond 128 bits, outside the alphabet, in upper case: an organization has one text only.
      for (const wrong of ['8', 'z', 'i', 'l', 'o', 'u', 'A']) {
        const broken = seal(text.slice(0, start) + wrong + text.slice(start + 1));
        assert.equal(parse(broken), null, broken);
      }
      assert.notEqual(parse(seal(`${text.slice(0, start)}7${text.slice(start + 1)}`)), null);
    });

    test('names what somebody put into it, if they also made the checksum', () => {
      const other = newUuid();
      assert.equal(parse(withOtherOrganization(make(newUuid()), other)), other);
    });
  });
}

test('a text without an organization is refused, also with the right checksum', () => {
  for (const { prefix, make, parse } of kinds) {
    const text = make(newUuid());
    assert.equal(parse(seal(`${text.slice(0, prefix.length + 30)}······`.replaceAll('·', '0'))), null);
  }
});

test('a token is no key, and a key is no token', () => {
  const id = newUuid();
  const [token, key] = [makeToken(id), makePublishableKey(id)];
  assert.deepEqual([parseToken(key), parsePublishableKey(token)], [null, null]);
  assert.equal(parseToken(key.replace('trl_pk_', 'trl_pat_')), null);
  assert.equal(parsePublishableKey(token.replace('trl_pat_', 'trl_pk_')), null);
  assert.equal(parsePublishableKey([key]), null);
});
