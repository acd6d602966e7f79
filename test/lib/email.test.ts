import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalizeEmail } from '@trellis/schema/values/email.ts';
import fastCheck from 'fast-check';
import { checkProperty } from './property.ts';

const anyLocalPart = fastCheck.oneof(
  fastCheck.string({ minLength: 1, maxLength: 20, unit: 'binary' }),
  fastCheck.string({ minLength: 1, maxLength: 70, unit: 'grapheme' }),
  fastCheck.stringMatching(/^[A-Za-z0-9.+_'ÄéıİΣ-]+$/),
  // Letters that only compose when small, that are an ASCII letter once composed, and that grow when made small.
  fastCheck.constantFrom('H\u0331', '\u212a', '\u037e', 'İ'.repeat(32), 'İ'.repeat(21)),
);

test('normalizeEmail returns the form in which addresses are compared', () => {
  for (const [address, email] of [
    ['jane@example.com', 'jane@example.com'],
    [' Jane.Doe+News@EXAMPLE.Com ', 'jane.doe+news@example.com'],
    ["o'brien/x=1@example.co.uk", "o'brien/x=1@example.co.uk"],
    ['!#$%&*?^_`{|}~-@example.com', '!#$%&*?^_`{|}~-@example.com'],
    ['jane@www.example.com', 'jane@www.example.com'],
    ['JANE@Bücher.example', 'jane@xn--bcher-kva.example'],
    ['JOSE\u0301@example.com', 'josé@example.com'],
    ['用户@例え。テスト', '用户@xn--r8jz45g.xn--zckzah'],
    ['ИВАН@example.com', 'иван@example.com'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
    [`${'é'.repeat(32)}@example.com`, `${'é'.repeat(32)}@example.com`],
  ] as const) {
    assert.equal(normalizeEmail(address), email);
  }
});

test('normalizeEmail refuses everything else', () => {
  for (const address of [
    ...['', '@', 'jane', 'jane@', '@example.com', 'jane@localhost', 'jane@example', 'jane@example.com.'],
    ...['jane@127.0.0.1', 'jane@[127.0.0.1]', 'jane@example..com', 'jane@-example.com', 'jane@exam_ple.com'],
    ...[
      '.jane@example.com',
      'jane.@example.com',
      'jane..doe@example.com',
      'jane doe@example.com',
      'a@b@example.com',
    ],
    ...['"jane doe"@example.com', 'Jane <jane@example.com>', '<jane@example.com>', 'mailto:jane@example.com'],
    ...['jane(x)@example.com', 'jane,doe@example.com', 'jane;doe@example.com', 'jane:doe@example.com'],
    ...[
      'jane\\doe@example.com',
      'jane\u00a0doe@example.com',
      'jane\u200b@example.com',
      'jane\u0000@example.com',
    ],
    ...[
      'jane\ndoe@example.com',
      'jane\ud800@example.com',
      'jane＠example.com',
      'jane@example.com,joe@example.com',
    ],
    ...['jane\u037e@example.com', 'jane@ example.com', 'jane@example.com/path', 'jane@example.com:25'],
    ...[`${'a'.repeat(65)}@example.com`, `${'é'.repeat(33)}@example.com`],
  ]) {
    assert.equal(normalizeEmail(address), null, address);
  }
});

test('normalizeEmail counts 254 bytes in total', () => {
  const domain = `${'a.'.repeat(93)}com`;
  assert.equal(`${'a'.repeat(64)}@${domain}`.length, 254);
  assert.notEqual(normalizeEmail(`${'a'.repeat(64)}@${domain}`), null);
  assert.equal(normalizeEmail(`${'a'.repeat(64)}@b${domain}`), null);
});

test('normalizeEmail accepts the addresses of RFC 5321 in any letter case', (context) => {
  checkProperty(
    context,
    fastCheck.property(fastCheck.emailAddress(), (address) => {
      assert.equal(normalizeEmail(address), address.toLowerCase());
      assert.equal(normalizeEmail(address.toUpperCase()), address.toLowerCase());
    }),
  );
});

test('normalizeEmail is idempotent and ignores normalization forms', (context) => {
  checkProperty(
    context,
    fastCheck.property(
      anyLocalPart,
      fastCheck.constantFrom('Example.com', 'BÜCHER.example'),
      (localPart, domain) => {
        const address = `${localPart}@${domain}`;
        const email = normalizeEmail(address);
        assert.equal(normalizeEmail(address.normalize('NFD')), email);
        if (email !== null) {
          assert.equal(normalizeEmail(email), email);
        }
      },
    ),
    2000,
  );
});
