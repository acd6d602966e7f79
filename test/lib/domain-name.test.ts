import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { normalizeDomain, toAsciiDomain } from '@trellis/schema/values/domain-name.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

/** Texts that look like domains, of many scripts, with what the conversion changes, drops or refuses. */
const anyLabels = fastCheck
  .array(
    fastCheck.oneof(
      fastCheck.constantFrom(
        'www',
        'com',
        'Acme',
        'xn--bcher-kva',
        'bücher',
        'faß',
        '日本',
        '-',
        '\u00ad',
        'ｗｗｗ',
        '1',
      ),
      fastCheck.string({ maxLength: 4, unit: 'grapheme' }),
      fastCheck.string({ maxLength: 4, unit: 'binary' }),
    ),
    { maxLength: 5 },
  )
  .map((labels) => labels.join('.'));

const domainForm = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

describe('toAsciiDomain', () => {
  test('writes domains as the DNS does', () => {
    for (const [text, domain] of [
      ['example.com', 'example.com'],
      ['WWW.Example.COM', 'www.example.com'],
      ['Bücher.Example', 'xn--bcher-kva.example'],
      ['bu\u0308cher.example', 'xn--bcher-kva.example'],
      ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
      ['faß.de', 'xn--fa-hia.de'],
      ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
      ['3com.co.uk', '3com.co.uk'],
      [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
      [`${'a.'.repeat(125)}com`, `${'a.'.repeat(125)}com`],
    ] as const) {
      assert.equal(toAsciiDomain(text), domain);
    }
  });

  test('refuses everything else', () => {
    for (const text of [
      ...[
        '',
        '.',
        'localhost',
        'com.',
        'example.com.',
        '.com',
        'a..com',
        '-a.com',
        'a-.com',
        'a_b.com',
        'a b.com',
      ],
      ...['127.0.0.1', '1.2', '0x7f.1', '1.0x7f', 'example.123', '[::1]', '::1', '٠.١', 'user@example.com'],
      ...[
        'example.com:80',
        'example.com/',
        'ex%61mple.com',
        '℀.com',
        '\u00ad.com',
        'a\u3000b.com',
        '\ud800.com',
      ],
      ...['a\tb.com', 'example.com\n', `${'a'.repeat(64)}.com`, `${'a.'.repeat(126)}com`, 'xn--\u00fc.com'],
    ]) {
      assert.equal(toAsciiDomain(text), null, text);
    }
  });

  test('is idempotent', (context) => {
    checkProperty(
      context,
      fastCheck.property(fastCheck.oneof(anyLabels, fastCheck.domain()), (text) => {
        const domain = toAsciiDomain(text);
        if (domain !== null) {
          assert.match(domain, domainForm);
          assert.equal(toAsciiDomain(domain), domain);
        }
      }),
      3000,
    );
  });
});

describe('normalizeDomain', () => {
  test('finds the domain in what people paste', () => {
    for (const text of [
      'example.com',
      ' Example.COM. ',
      'www.example.com',
      'https://www.example.com/path?query#fragment',
      'http://user:secret@example.com:8080/',
      'http://example.com?query',
      'http://example.com#fragment',
      'example.com/@user',
      'example.com\\path',
      '//example.com',
      'ftp://example.com:/',
      'jane@example.com',
      'mailto:jane@example.com',
      'ｗｗｗ．example。com。',
      'www.www.example.com',
    ]) {
      assert.equal(normalizeDomain(text), 'example.com', text);
    }
    assert.equal(normalizeDomain('https://www.Bücher.example'), 'xn--bcher-kva.example');
    assert.equal(normalizeDomain('shop.example.co.uk'), 'shop.example.co.uk');
    assert.equal(normalizeDomain('wwwexample.com'), 'wwwexample.com');
    assert.equal(normalizeDomain('www2.example.com'), 'www2.example.com');
  });

  test('keeps www if it is the registered name', () => {
    assert.equal(normalizeDomain('www.com'), 'www.com');
    assert.equal(normalizeDomain('www.www.com'), 'www.com');
  });

  test('refuses text without a domain', () => {
    for (const text of [
      ...['', 'Example Inc.', 'localhost', 'www', 'http://', 'https:///example.com', 'http://localhost:3000'],
      ...['https://127.0.0.1/', 'http://[::1]/', 'example.com..', 'example.com:80:80', 'example.com:http'],
      ...['a b@example.com', 'a@b@example.com', 'example.com, example.org', 'http:example.com'],
    ]) {
      assert.equal(normalizeDomain(text), null, text);
    }
  });

  test('is idempotent', (context) => {
    checkProperty(
      context,
      fastCheck.property(anyLabels, (text) => {
        const domain = normalizeDomain(text);
        if (domain !== null) {
          assert.match(domain, domainForm);
          assert.equal(normalizeDomain(domain), domain);
        }
      }),
      3000,
    );
  });

  test('finds every domain inside an address', (context) => {
    const parts = fastCheck.tuple(
      fastCheck.constantFrom('', 'http://', 'HTTPS://', '//', 'https://user@'),
      fastCheck.constantFrom('', 'www.', 'WWW.'),
      fastCheck.domain(),
      fastCheck.constantFrom('', '.', ':443', '.:80', '/', '/a@b.c', '?a=b', '#a'),
    );
    checkProperty(
      context,
      fastCheck.property(parts, ([before, prefix, domain, after]) => {
        assert.equal(normalizeDomain(before + prefix + domain + after), normalizeDomain(domain));
        assert.notEqual(normalizeDomain(domain), null);
      }),
    );
  });
});
