import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { newUuid } from '@trellis/schema/values/ids.ts';
import { normalizeOrigin } from '@trellis/schema/values/origin.ts';
import { makePublishableKey, parsePublishableKey } from '@trellis/server/kernel/identity/publishable-key.ts';
import { makeToken, parseToken } from '@trellis/server/kernel/identity/tokens.ts';
import fastCheck from 'fast-check';
import { checkProperty } from '../lib/property.ts';

describe('publishable keys', () => {
  test('can be parsed again, and are unique', () => {
    const organizationId = newUuid();
    const made = Array.from({ length: 1_000 }, () => makePublishableKey(organizationId));
    assert.equal(new Set(made).size, made.length);
    for (const key of made) {
      assert.match(key, /^trl_pk_[0-9A-Za-z]{62}$/);
      assert.deepEqual(parsePublishableKey(key), { key, organizationId });
    }
  });

  test('are not tokens, and tokens are not keys', () => {
    const [key, token] = [makePublishableKey(newUuid()), makeToken(newUuid())];
    assert.equal(parseToken(key), null);
    assert.equal(parsePublishableKey(token), null);
    assert.equal(parseToken(key.replace('trl_pk_', 'trl_pat_')), null);
    assert.equal(parsePublishableKey(token.replace('trl_pat_', 'trl_pk_')), null);
  });

  test('with any one character mistyped are refused', () => {
    const key = makePublishableKey(newUuid());
    for (let position = 0; position < key.length; position += 1) {
      for (const wrong of ['', '-', 'é', ' ', key[position] === 'x' ? 'y' : 'x']) {
        const broken = key.slice(0, position) + wrong + key.slice(position + 1);
        assert.equal(parsePublishableKey(broken), null, broken);
      }
    }
    for (const broken of [undefined, '', 'trl_pk_', `${key}x`, ` ${key}`, `${key}\n`, [key], [key, key]]) {
      assert.equal(parsePublishableKey(broken), null);
    }
  });
});

describe('normalizeOrigin', () => {
  test('writes origins as browsers send them', () => {
    for (const [text, origin] of [
      ['https://example.com', 'https://example.com'],
      ['HTTPS://Example.COM/', 'https://example.com'],
      ['https://example.com:443', 'https://example.com'],
      ['http://example.com:80', 'http://example.com'],
      ['https://example.com:80', 'https://example.com:80'],
      ['http://localhost:5173', 'http://localhost:5173'],
      ['https://bücher.example', 'https://xn--bcher-kva.example'],
      ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
      ['http://[::1]:3000', 'http://[::1]:3000'],
      ['http://[0:0:0:0:0:0:0:1]', 'http://[::1]'],
      ['https://my_site.example.com', 'https://my_site.example.com'],
    ] as const) {
      assert.equal(normalizeOrigin(text), origin, text);
    }
  });

  test('refuses everything that is not exactly an origin', () => {
    for (const text of [
      ...[
        '',
        'null',
        '*',
        'example.com',
        '//example.com',
        'https:',
        'https://',
        'https:///',
        'https:example.com',
      ],
      ...[
        'https://example.com/path',
        'https://example.com//',
        'https://example.com?',
        'https://example.com#',
      ],
      ...['https://user@example.com', 'https://user:secret@example.com', 'https://@example.com'],
      ...[
        'https://*',
        'https://*.example.com',
        'https://example.*',
        'https://%2A.example.com',
        'https://ex%61mple.com',
      ],
      ...['https://example.com,https://example.org', 'https://example.com https://example.org'],
      ...[
        ' https://example.com',
        'https://example.com\n',
        'https://exa\tmple.com',
        'https://example.com\u0000',
      ],
      ...[
        'https://example.com:99999',
        'https://example.com:x',
        'https://example.com.',
        'https://-example.com',
      ],
      ...['https://example.com\\path', 'https:\\\\example.com', `https://${'a.'.repeat(200)}example.com`],
      ...[
        'ftp://example.com',
        'file:///a',
        'javascript://example.com',
        'capacitor://localhost',
        'data:text/html,x',
      ],
      ...[
        'chrome-extension://abcdefghijklmnop',
        'blob:https://example.com',
        'ws://example.com',
        'https://a$b',
      ],
    ]) {
      assert.equal(normalizeOrigin(text), null, text);
    }
  });

  test('is idempotent, and keeps the origins of browsers', (context) => {
    checkProperty(
      context,
      fastCheck.property(fastCheck.webUrl({ withQueryParameters: true }), fastCheck.string(), (url, text) => {
        const { origin } = new URL(url);
        assert.equal(normalizeOrigin(origin), origin);
        const other = normalizeOrigin(`https://${text}`);
        assert.ok(other === null || normalizeOrigin(other) === other);
      }),
    );
  });
});
