import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { describeClient, deviceTypes } from '@trellis/server/features/visitors/client.ts';
import { visitorLimits } from '@trellis/server/features/visitors/limits.ts';
import fastCheck from 'fast-check';
import { checkProperty } from '../lib/property.ts';

const chromeDesktop =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';
const safariMac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15';

/** The headers of browsers, and the expected description. */
const known: readonly (readonly [
  userAgent: string,
  name: string,
  version: string,
  os: string,
  type: string,
])[] = [
  [chromeDesktop, 'Chrome', '141.0.0.0', 'Windows', 'desktop'],
  [safariMac, 'Safari', '18.1', 'macOS', 'desktop'],
  [
    'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
    ...(['Firefox', '143.0', 'Linux', 'desktop'] as const),
  ],
  [`${chromeDesktop} Edg/141.0.3537.57`, 'Microsoft Edge', '141.0.3537.57', 'Windows', 'desktop'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    ...(['Safari', '18.1', 'iOS', 'mobile'] as const),
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
    ...(['Safari', '17.4', 'iOS', 'tablet'] as const),
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    ...(['Chrome', '141.0.0.0', 'Android', 'mobile'] as const),
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    ...(['Chrome', '141.0.0.0', 'Android', 'tablet'] as const),
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/26.0 Chrome/122.0.0.0 Mobile Safari/537.36',
    ...(['Samsung Internet for Android', '26.0', 'Android', 'mobile'] as const),
  ],
];

const robots: readonly string[] = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm) Chrome/116.0.1938.76 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0.0.0 Safari/537.36',
  'curl/8.5.0',
  'python-requests/2.32.3',
  'node',
  '',
];

describe('describeClient', () => {
  test('recognizes common browsers', () => {
    for (const [userAgent, name, version, os, type] of known) {
      assert.deepEqual(
        describeClient({ 'user-agent': userAgent }),
        { browser: { name, version }, os: { name: os }, device: { type }, bot: false },
        userAgent,
      );
    }
  });

  test('reads from client hints what user agents no longer contain', () => {
    const headers = (brand: string) => ({
      'user-agent': chromeDesktop,
      'sec-ch-ua': `"Not?A_Brand";v="8", "Chromium";v="141", "${brand}";v="141"`,
      'sec-ch-ua-mobile': '?0',
      'sec-ch-ua-platform': '"Windows"',
    });
    assert.equal(describeClient(headers('Google Chrome')).bot, false);
    assert.deepEqual(describeClient(headers('Brave')).browser, { name: 'Brave', version: '141' });
    // Clients with a forged user agent often forget the hints.
    assert.deepEqual(describeClient(headers('HeadlessChrome')).device, { type: 'bot' });
    const odd = { 'user-agent': 'Something/1.0 (New; Thing) Engine/2', 'sec-ch-ua-mobile': '?1' };
    assert.equal(describeClient(odd).device.type, 'mobile');
  });

  test('recognizes an iPad that pretends to be a Mac by its touch screen', () => {
    const ask = (touchPoints: number | undefined, more = {}) =>
      describeClient({ 'user-agent': safariMac, ...more }, touchPoints);
    assert.deepEqual([ask(5).device.type, ask(5).os.name, ask(5).browser.name], ['tablet', 'iOS', 'Safari']);
    for (const touchPoints of [undefined, 0, 1]) assert.equal(ask(touchPoints).device.type, 'desktop');
    // Chromium sends hints, and on an iPad there is no Chromium.
    assert.equal(ask(5, { 'sec-ch-ua': '"Chromium";v="141"' }).device.type, 'desktop');
    assert.equal(describeClient({ 'user-agent': chromeDesktop }, 10).device.type, 'desktop');
  });

  test('treats crawlers, automation, programs and empty headers as bots', () => {
    for (const userAgent of robots) {
      const { bot, device } = describeClient({ 'user-agent': userAgent });
      assert.deepEqual({ bot, device }, { bot: true, device: { type: 'bot' } }, userAgent);
    }
    assert.equal(describeClient({}).bot, true);
  });

  test('copies no header into names and versions', (context) => {
    const hostile = fastCheck.oneof(
      fastCheck.string({ unit: 'binary', maxLength: 2_000 }),
      fastCheck
        .array(
          fastCheck.constantFrom(
            ...[
              'Mozilla/5.0 ',
              'Chrome/',
              'Version/',
              'Macintosh',
              ' FxiOS/',
              'android ',
              '(',
              ')',
              '; ',
              '/ ',
            ],
            ...[
              '<script>alert(1)</script>',
              '\u0000',
              '\r\n',
              '\u202e',
              '9'.repeat(200),
              '1.',
              '1_',
              '"',
              '🙂',
              '\ud800',
            ],
          ),
          { maxLength: 60 },
        )
        .map((parts) => parts.join('')),
    );
    const header = fastCheck.oneof(
      fastCheck.constant(undefined),
      hostile,
      fastCheck.array(hostile, { maxLength: 2 }),
    );
    checkProperty(
      context,
      fastCheck.property(
        header,
        header,
        header,
        fastCheck.double(),
        (userAgent, brands, mobile, touchPoints) => {
          const headers = { 'user-agent': userAgent, 'sec-ch-ua': brands, 'sec-ch-ua-mobile': mobile };
          const { browser, os, device } = describeClient(headers, touchPoints);
          for (const name of [browser.name, os.name]) {
            assert.match(name, /^[A-Za-z0-9._+!-](?:[A-Za-z0-9 ._+!-]*[A-Za-z0-9._+!-])?$/);
            assert.ok(name.length <= visitorLimits.browserNameCharacters);
          }
          assert.match(browser.version, /^(?:unknown|\d+(?:\.\d+)*)$/);
          assert.ok(browser.version.length <= visitorLimits.browserVersionCharacters);
          assert.ok(deviceTypes.includes(device.type));
        },
      ),
      1_000,
    );
  });

  test('parses only the beginning of a very long header', () => {
    const endless = {
      'user-agent': chromeDesktop + 'x'.repeat(1_000_000),
      'sec-ch-ua': '"'.repeat(1_000_000),
    };
    assert.equal(describeClient(endless).browser.name, 'Chrome');
    const late = { 'user-agent': `Mozilla/5.0 ${'('.repeat(visitorLimits.userAgentCharacters)} Chrome/9.9` };
    assert.equal(describeClient(late).browser.name, 'Mozilla');
  });
});
