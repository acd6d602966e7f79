import assert from 'node:assert/strict';
import { test } from 'node:test';
import fastCheck from 'fast-check';
import { isHttpUrl } from '../../src/lib/url.ts';
import { checkProperty } from './property.ts';

test('isHttpUrl accepts absolute addresses', () => {
  for (const text of [
    ...[
      'https://example.com',
      'HTTPS://Example.com/',
      'https://example.com:8443/a/b?c=d&e#f',
      'https://bücher.example',
    ],
    ...[
      'https://127.0.0.1/',
      'https://[::1]:8080/',
      'https://localhost',
      'https://example.com/ä?ö#ü',
      'https://a/@b:c',
    ],
  ]) {
    assert.equal(isHttpUrl(text, { httpsOnly: true }), true, text);
    assert.equal(isHttpUrl(text.replace(/^https/i, 'http'), { httpsOnly: false }), true, text);
    assert.equal(isHttpUrl(text.replace(/^https/i, 'http'), { httpsOnly: true }), false, text);
  }
});

test('isHttpUrl refuses everything else', () => {
  for (const text of [
    ...[
      '',
      'example.com',
      '//example.com',
      '/path',
      'https:',
      'https://',
      'https:///example.com',
      'https:example.com',
    ],
    ...[
      'https:/example.com',
      'https:\\\\example.com',
      'https://example.com\\path',
      'https://?query',
      'https://#',
    ],
    ...[
      'javascript:alert(1)',
      'javascript://example.com/%0aalert(1)',
      'data:text/html,x',
      'ftp://example.com',
      'file:///a',
    ],
    ...['https://user@example.com', 'https://user:secret@example.com', 'https://:secret@example.com'],
    ...[' https://example.com', 'https://example.com ', 'https://exa mple.com', 'https://example.com/a b'],
    ...[
      'https://example.com/\n',
      'ht\ntps://example.com',
      'https://exam\tple.com',
      'https://example.com/\u0000',
    ],
    ...['https://example.com:99999', 'https://[::1', 'https://a%b', 'https://256.256.256.256'],
  ]) {
    assert.equal(isHttpUrl(text, { httpsOnly: true }), false, text);
    assert.equal(isHttpUrl(text, { httpsOnly: false }), false, text);
  }
});

test('isHttpUrl accepts every web address and never more than a browser', (context) => {
  checkProperty(
    context,
    fastCheck.property(
      fastCheck.webUrl({ withFragments: true, withQueryParameters: true }),
      fastCheck.string(),
      (url, text) => {
        assert.equal(isHttpUrl(url, { httpsOnly: false }), true);
        assert.equal(isHttpUrl(url, { httpsOnly: true }), url.startsWith('https:'));
        assert.ok(!isHttpUrl(`https://${text}`, { httpsOnly: true }) || URL.canParse(`https://${text}`));
      },
    ),
  );
});
