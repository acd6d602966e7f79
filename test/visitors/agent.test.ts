import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { compileSchema } from '@trellis/schema/validation/schema-compiler.ts';
import { buildAgent, minifyScript } from '@trellis/server/features/visitors/agent-build.ts';
import { identifyBodySchema } from '@trellis/server/features/visitors/signals.ts';
import type { TSchema } from 'typebox';
import { type Identification, key, openPage, respondWith, type SentRequest, until } from './fake-browser.ts';

const isBody = compileSchema(identifyBodySchema as TSchema as JsonSchema);
const name = 'trellis_visitor';
/** Values of the agent's context have their own prototypes, which deepEqual would treat as different. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const only = (requests: readonly SentRequest[]): SentRequest => {
  assert.equal(requests.length, 1);
  const [request] = requests;
  assert.ok(request !== undefined);
  return request;
};

describe('buildAgent', () => {
  const { source, digest } = buildAgent();

  test('makes a small file for every character set, the same each time', () => {
    assert.ok(gzipSync(source).length <= 6 * 1024, `${gzipSync(source).length} bytes compressed`);
    assert.match(source, /^[\n -~]+$/);
    assert.match(digest, /^[\w-]{22}$/);
    assert.deepEqual(buildAgent(), { source, digest });
  });

  test('calls no other server, and needs nothing newer than ES2020', () => {
    assert.doesNotMatch(source, /https?:\/\//);
    assert.doesNotMatch(
      source,
      /\b(?:import|require|eval|process|Buffer)\b|\?\?=|\|\|=|\.replaceAll|\.at\(|#[a-z]+\b(?!')/,
    );
  });

  test('removes types and comments, and no text that looks like them', () => {
    const typescript = [
      '/** Why. */',
      'interface Options { key?: string }',
      '  // A comment.',
      "  const a: string = '// no comment'; // kept",
      "  const b = '/* none */', c = /\\/\\*/;",
      '  /* Two',
      '   * lines. */',
      '  const d = `$' + '{a}/* none */`;',
    ].join('\n');
    assert.equal(
      minifyScript(typescript).replace(/ +/g, ' '),
      [
        "const a = '// no comment'; // kept",
        "const b = '/* none */', c = /\\/\\*/;",
        'const d = `$' + '{a}/* none */`;',
        '',
      ].join('\n'),
    );
    assert.throws(() => minifyScript('const a = `\n// text\n`;'), TypeError);
  });
});

describe('what the agent sends', () => {
  test('is an identify call without cookies, to the server that the script came from', async () => {
    const { identify, requests } = openPage();
    await identify({ consent: 'GRANTED' });
    const { url, init, body } = only(requests);
    assert.equal(url, 'https://trellis.example/v1/visitors/identify');
    assert.equal(init.method, 'POST');
    assert.deepEqual(plain(init.headers), { 'Content-Type': 'application/json', 'X-Client-Key': key });
    assert.deepEqual([init.credentials, init.redirect, init.referrerPolicy], ['omit', 'error', 'origin']);
    assert.equal(isBody(body), true, JSON.stringify(isBody.errors));
    assert.equal(body.consent, 'GRANTED');
    assert.deepEqual(body.page, { origin: 'https://shop.example', path: '/a/b' });
    assert.equal('storedToken' in body, false);
    // Signals that this browser refuses to disclose are omitted, and nothing fails.
    const { timezone, mathHash, ...others } = body.signals;
    assert.equal(timezone, Intl.DateTimeFormat().resolvedOptions().timeZone);
    assert.match(String(mathHash), /^[0-9a-f]{16}$/);
    assert.deepEqual(others, {
      ...{ touchPoints: 5, screenWidth: 1920, screenHeight: 1080, colorDepth: 24, pixelRatio: 1.33 },
      ...{ languages: ['de-DE', 'en'], platform: 'Linux', hardwareConcurrency: 8 },
    });
  });

  test('is valid even in an unusual browser', async () => {
    const { identify, requests } = openPage({
      navigator: {
        ...{ languages: ['de', 'en_US@posix', 7, 'x'.repeat(36)], maxTouchPoints: -1, platform: 'é\u0000' },
        ...{ hardwareConcurrency: 1e9, deviceMemory: Number.NaN },
      },
      globals: {
        screen: { width: Number.NaN, height: '1080', colorDepth: 1e9 },
        ...{ devicePixelRatio: 1e9, Intl: undefined },
        location: {
          protocol: 'https:',
          origin: 'https://shop.example',
          pathname: `/${'a'.repeat(5_000)}`,
          href: 'https://shop.example/',
        },
      },
    });
    await identify();
    const { body } = only(requests);
    assert.equal(isBody(body), true, JSON.stringify(isBody.errors));
    assert.deepEqual(Object.keys(body.signals).sort(), ['languages', 'mathHash']);
    assert.deepEqual(body.signals.languages, ['de']);
  });

  test('has every signal of the schema if the browser discloses them all', async () => {
    const { identify, requests } = openPage({ ...fullBrowser('steady'), navigator: { deviceMemory: 8 } });
    await identify();
    const { body } = only(requests);
    assert.equal(isBody(body), true, JSON.stringify(isBody.errors));
    const declared = Object.keys(identifyBodySchema.properties.signals.properties);
    assert.deepEqual(Object.keys(body.signals).sort(), declared.sort());
  });

  test('has no hash of a drawing that comes out differently each time', async () => {
    const { identify, requests } = openPage(fullBrowser('noisy'));
    await identify();
    const { signals } = only(requests).body;
    assert.equal('canvasHash' in signals, false);
    assert.equal('webglHash' in signals, true);
  });

  test('follows attributes and options, options first', async () => {
    const dataset = { key: 'trl_pk_a', endpoint: 'https://api.example/identify', consent: 'denied' };
    const page = openPage({ dataset });
    await page.identify();
    await page.identify({ key: 'trl_pk_b', endpoint: '/proxy', consent: 'GRANTED' });
    assert.deepEqual(
      page.requests.map(({ url, init, body }) => [url, init.headers['X-Client-Key'], body.consent]),
      [
        ['https://api.example/identify', 'trl_pk_a', 'DENIED'],
        ['https://trellis.example/proxy', 'trl_pk_b', 'GRANTED'],
      ],
    );
    const injected = openPage({ dataset: null });
    await injected.identify({ key });
    assert.equal(only(injected.requests).url, 'https://shop.example/v1/visitors/identify');
    assert.equal(only(injected.requests).body.consent, 'UNKNOWN');
  });
});

describe('what the agent stores', () => {
  test('is the token of the last response, which the next call sends', async () => {
    const { identify, requests, stored, cookieTexts } = openPage();
    await identify();
    assert.deepEqual([...stored], [[name, 'token-1']]);
    await identify();
    assert.equal(requests[1]?.body.storedToken, 'token-1');
    assert.deepEqual(cookieTexts, []);
  });

  test('is in a cookie of the page, or in memory, if there is no storage', async () => {
    for (const localStorage of ['throws', 'full'] as const) {
      const { identify, requests, cookieTexts } = openPage({ localStorage });
      await identify();
      assert.deepEqual(cookieTexts, [`${name}=token-1; Max-Age=7776000; Path=/; SameSite=Lax; Secure`]);
      await identify();
      assert.equal(requests[1]?.body.storedToken, 'token-1', localStorage);
    }
    for (const cookies of ['throw', 'are ignored'] as const) {
      const { identify, requests } = openPage({ localStorage: 'throws', cookies });
      await identify();
      await identify();
      assert.equal(requests[1]?.body.storedToken, 'token-1', cookies);
    }
  });

  test('is only what the agent itself has put there', async () => {
    for (const text of ['', ' ', 'a b', '<script>', 'é', 'a'.repeat(257), '{"a":1}']) {
      const { identify, requests, stored } = openPage();
      stored.set(name, text);
      await identify();
      assert.equal('storedToken' in only(requests).body, false, text);
    }
  });

  test('is nothing after DENIED or with Global Privacy Control, and removes what was there', async () => {
    for (const [navigator, consent] of [
      [{}, 'DENIED'],
      [{}, 'denied'],
      // What we do not understand is no consent.
      [{}, 'yes'],
      [{}, false],
      [{ globalPrivacyControl: true }, 'GRANTED'],
      [{ globalPrivacyControl: true }, undefined],
    ] as const) {
      const { identify, requests, stored, cookies } = openPage({ navigator });
      stored.set(name, 'old');
      cookies.set(name, 'old');
      const { visitorId } = await identify({ consent });
      assert.equal(visitorId, 'vis_1');
      const { body } = only(requests);
      assert.equal(isBody(body), true, JSON.stringify(isBody.errors));
      assert.equal(body.consent, 'DENIED');
      assert.deepEqual(body.signals, { touchPoints: 5 });
      assert.equal('storedToken' in body, false);
      assert.deepEqual(
        [stored.size, cookies.size],
        [0, 0],
        `${JSON.stringify(navigator)} ${String(consent)}`,
      );
    }
  });

  test('is not sent after DENIED, even if it cannot be removed', async () => {
    const { identify, requests, cookies } = openPage({ localStorage: 'throws', cookies: 'are ignored' });
    cookies.set(name, 'old');
    await identify({ consent: 'DENIED' });
    assert.equal('storedToken' in only(requests).body, false);
  });

  test('is removed if the server returns no token', async () => {
    const respond = () =>
      respondWith({ visitorId: 'vis_1', requestId: 'r', confidence: { score: 0.5 }, storedToken: null });
    const { identify, stored } = openPage({ respond });
    stored.set(name, 'old');
    await identify();
    assert.equal(stored.size, 0);
  });

  test('is unchanged if the call fails', async () => {
    const { identify, stored } = openPage({ respond: () => respondWith({ code: 'rate_limited' }, 429) });
    stored.set(name, 'old');
    await identify();
    assert.deepEqual([...stored], [[name, 'old']]);
  });

  test('is nothing if the visitor refuses while a response is pending', async () => {
    const waiting: ((response: Response) => void)[] = [];
    const { identify, stored } = openPage({ respond: () => new Promise((resolve) => waiting.push(resolve)) });
    const late = { visitorId: 'v', requestId: 'r', confidence: { score: 0.5 }, storedToken: 'late' };
    const consented = identify({ consent: 'GRANTED' });
    await until(() => waiting.length === 1);
    const refused = identify({ consent: 'DENIED' });
    await until(() => waiting.length === 2);
    waiting[1]?.(respondWith(late));
    await refused;
    waiting[0]?.(respondWith(late));
    await consented;
    assert.equal(stored.size, 0);
  });
});

describe('what the agent returns', () => {
  const none = { visitorId: null, requestId: null, confidence: { score: 0 } };
  const failsWith = (identification: Identification, code: string) => {
    const { error, ...rest } = plain(identification) as Identification;
    assert.deepEqual(rest, none);
    assert.equal(error?.code, code);
    assert.notEqual(error.message, '');
  };

  test('is the identification without its token', async () => {
    const { identify } = openPage();
    assert.deepEqual(plain(await identify()), {
      visitorId: 'vis_1',
      requestId: 'req_1',
      confidence: { score: 0.5 },
      error: null,
    });
  });

  test('is the code of an error, never an exception', async () => {
    const problem = { code: 'rate_limited', title: 'Too many requests', detail: 'Wait a minute.' };
    failsWith(await openPage({ respond: () => respondWith(problem, 429) }).identify(), 'rate_limited');
    failsWith(
      await openPage({ respond: () => new Response('<html>', { status: 502 }) }).identify(),
      'refused',
    );
    failsWith(await openPage({ respond: () => new Response('<html>') }).identify(), 'invalid_response');
    failsWith(await openPage({ respond: () => respondWith(null) }).identify(), 'invalid_response');
    failsWith(
      await openPage({ respond: () => respondWith({ visitorId: 7 }) }).identify(),
      'invalid_response',
    );
    failsWith(
      await openPage({ respond: () => Promise.reject(new TypeError('offline')) }).identify(),
      'network',
    );
    failsWith(await openPage({ globals: { fetch: undefined } }).identify(), 'network');
    failsWith(await openPage({ dataset: {} }).identify(), 'key_missing');
    failsWith(await openPage().identify({ endpoint: 'https://[' }), 'endpoint_invalid');
    const trap = new Proxy({}, { get: () => assert.fail('a trap of the page') });
    failsWith(await openPage().identify(trap), 'options_invalid');
  });

  test('comes in time even if the server never responds, and the call is aborted', async () => {
    const { identify, requests, timers, stored } = openPage({ respond: () => new Promise(() => undefined) });
    const result = identify();
    await until(() => requests.length === 1);
    const signal = only(requests).init.signal;
    assert.equal(signal?.aborted, false);
    const timer = timers.find((one) => one?.delayMs === 5_000);
    assert.ok(timer !== undefined);
    timer.action();
    failsWith(await result, 'timeout');
    assert.equal(signal?.aborted, true);
    assert.equal(stored.size, 0);
  });

  test('leaves no timer', async () => {
    const { identify, timers } = openPage();
    await identify();
    assert.deepEqual(
      timers.filter((one) => one?.delayMs === 5_000),
      [],
    );
  });

  test('is shared by concurrent calls, and new for later ones', async () => {
    const { identify, requests } = openPage();
    const [first, second] = await Promise.all([identify(), identify()]);
    assert.equal(first, second);
    assert.equal(requests.length, 1);
    await Promise.all([identify(), identify({ consent: 'DENIED' })]);
    assert.equal(requests.length, 3);
  });

  test('is available through one global, which the page cannot change', () => {
    const { window } = openPage();
    assert.deepEqual(Object.keys(window), ['Trellis']);
    assert.ok(Object.isFrozen(window.Trellis));
  });
});

/** A browser with a canvas, a graphics unit and sound; `noisy` adds something to every drawing. */
function fullBrowser(kind: 'steady' | 'noisy') {
  let drawings = 0;
  const anything = (): unknown => new Proxy(() => undefined, { get: () => anything, apply: () => undefined });
  const contexts: Record<string, unknown> = {
    '2d': {
      ...{
        fillRect: anything(),
        fillText: anything(),
        beginPath: anything(),
        arc: anything(),
        fill: anything(),
      },
      measureText: () => ({ width: 100 }),
    },
    webgl: {
      ...{ VENDOR: 1, RENDERER: 2 },
      getParameter: (name: number) => (name === 1 ? 'WebKit' : 'WebKit WebGL'),
      getExtension: (name: string) =>
        name === 'WEBGL_lose_context'
          ? { loseContext: () => undefined }
          : { UNMASKED_VENDOR_WEBGL: 3, UNMASKED_RENDERER_WEBGL: 4 },
    },
  };
  const document = {
    cookie: '',
    currentScript: { src: 'https://trellis.example/agent.js', dataset: { key } },
    createElement: () => ({
      getContext: (type: string) => contexts[type],
      toDataURL: () => `data:image/png;base64,${'A'.repeat(100)}${kind === 'noisy' ? drawings++ : ''}`,
    }),
  };
  const node = () => ({ frequency: {}, connect: () => undefined, start: () => undefined });
  function OfflineAudioContext() {
    return {
      ...{ createOscillator: node, createDynamicsCompressor: node },
      startRendering: async () => ({ getChannelData: () => new Float32Array(5_000) }),
    };
  }
  return { globals: { document, OfflineAudioContext } };
}
