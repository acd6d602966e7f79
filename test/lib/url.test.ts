import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeHttpUrl } from '@trellis/schema/values/url.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

/** Whether the address is taken. */
function isHttpUrl(text: string, options: { httpsOnly: boolean }): boolean {
  return normalizeHttpUrl(text, options) !== null;
}

test('an address is stored in ASCII, as browsers send it', () => {
  for (const [text, kept] of [
    ['HTTPS://Example.COM', 'https://example.com/'],
    ['https://bücher.example:443/ä b'.replace(' ', '%20'), 'https://xn--bcher-kva.example/%C3%A4%20b'],
    [
      'https://example.com/a/../日本?q=é"<>#ß',
      'https://example.com/%E6%97%A5%E6%9C%AC?q=%C3%A9%22%3C%3E#%C3%9F',
    ],
  ] as const) {
    assert.equal(normalizeHttpUrl(text, { httpsOnly: true }), kept);
    assert.equal(normalizeHttpUrl(kept, { httpsOnly: true }), kept);
  }
});

test('normalizeHttpUrl accepts absolute addresses', () => {
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

test('normalizeHttpUrl refuses everything else', () => {
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

test('normalizeHttpUrl accepts every web address, and only addresses that a browser accepts', (context) => {
  checkProperty(
    context,
    fastCheck.property(
      fastCheck.webUrl({ withFragments: true, withQueryParameters: true }),
      fastCheck.string({ unit: 'binary' }),
      (url, text) => {
        assert.equal(isHttpUrl(url, { httpsOnly: false }), true);
        assert.equal(isHttpUrl(url, { httpsOnly: true }), url.startsWith('https:'));
        assert.ok(!isHttpUrl(`https://${text}`, { httpsOnly: true }) || URL.canParse(`https://${text}`));
        const kept = normalizeHttpUrl(`https://example.com/${text}?${text}#${text}`, { httpsOnly: true });
        // Cursors and index entries count on it: one byte for each character, and none that JSON escapes.
        if (kept !== null) assert.match(kept, /^[!-~]+$/);
        if (kept !== null) assert.doesNotMatch(kept, /["\\]/);
      },
    ),
  );
});
