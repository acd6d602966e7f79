import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonSchema } from '@trellis/schema/validation/body-schemas.ts';
import { compileSchema } from '@trellis/schema/validation/schema-compiler.ts';
import { canonicalizeJson } from '@trellis/schema/values/canonical-json.ts';
import { parseJson } from '@trellis/schema/values/json.ts';
import { visitorLimits } from '@trellis/server/features/visitors/limits.ts';
import {
  hashSignals,
  identifyBodySchema,
  type ServerSide,
  type Signals,
} from '@trellis/server/features/visitors/signals.ts';
import fastCheck from 'fast-check';
import type { TSchema } from 'typebox';
import { checkProperty } from '../lib/property.ts';

const isBody = compileSchema(identifyBodySchema as TSchema as JsonSchema);
const key = Buffer.alloc(32, 1);
const server: ServerSide = { browserName: 'Firefox', osName: 'Linux', bot: false };

const signals: Signals = {
  screenWidth: 1920,
  screenHeight: 1080,
  colorDepth: 24,
  pixelRatio: 1.25,
  timezone: 'America/Argentina/Buenos_Aires',
  languages: ['de-DE', 'de', 'en'],
  platform: 'Linux x86_64',
  hardwareConcurrency: 8,
  deviceMemory: 0.5,
  touchPoints: 0,
  canvasHash: '0f3a94c1b7d2e685',
  webglHash: '8d51ce02f7a9436b',
  fontsHash: '37be19d4085fa2c6',
  audioHash: 'e2601b8f5dc3974a',
  mathHash: '5a7f20c8e913bd46',
};
const body = {
  agentVersion: '1.0.0',
  storedToken: 'abc',
  signals,
  consent: 'GRANTED',
  page: { origin: 'https://www.example.com', path: '/a%20b' },
};

describe('identifyBodySchema', () => {
  test('accepts all signals, and none', () => {
    assert.equal(isBody(body), true, JSON.stringify(isBody.errors));
    const { storedToken: _none, ...first } = body;
    assert.equal(isBody({ ...first, signals: {}, consent: 'UNKNOWN' }), true);
  });

  test('accepts all of its examples', () => {
    for (const [name, schema] of Object.entries(identifyBodySchema.properties.signals.properties)) {
      const examples = (schema as { examples?: unknown[] }).examples ?? [];
      assert.ok(examples.length > 0, `${name} has no example`);
      for (const example of examples)
        assert.equal(isBody({ ...body, signals: { [name]: example } }), true, name);
    }
  });

  test('is closed, complete and never coerces', () => {
    const wrong: unknown[] = [
      ...[null, [], '', 0, {}, { ...body, extra: 1 }, { ...body, page: { ...body.page, query: '?a=b' } }],
      ...[
        { ...body, signals: { ...signals, address: '192.0.2.1' } },
        { ...body, signals: null },
      ],
      ...[
        { ...body, signals: [] },
        { ...body, consent: 'granted' },
        { ...body, consent: true },
      ],
      ...[
        { ...body, agentVersion: '1' },
        { ...body, agentVersion: '1.0.0\n' },
        { ...body, agentVersion: 1 },
      ],
      ...[
        { ...body, storedToken: '' },
        { ...body, storedToken: null },
        { ...body, storedToken: 'a'.repeat(257) },
      ],
      ...['null', 'example.com', 'https://', 'https://a@b', 'https://a/', 'ftp://a'].map((origin) => ({
        ...body,
        page: { ...body.page, origin },
      })),
      ...['', 'a', '/a b', '/ä', '/a\n', `/${'a'.repeat(1_024)}`].map((path) => ({
        ...body,
        page: { ...body.page, path },
      })),
      ...Object.keys(body)
        .filter((name) => name !== 'storedToken')
        .map((name) => Object.fromEntries(Object.entries(body).filter(([other]) => other !== name))),
    ];
    for (const one of wrong) assert.equal(isBody(one), false, JSON.stringify(one));
  });

  test('limits every signal', () => {
    const wrong: Record<string, unknown[]> = {
      screenWidth: [-1, 1.5, 65_536, '1920', null, 1e308],
      screenHeight: [-1, 65_536],
      colorDepth: [-1, 129, 24.5],
      pixelRatio: [-0.1, 101, '2'],
      timezone: ['', 'a'.repeat(65), 'Europe/Ber lin', 'Z\u0000', 'ÄÖ'],
      languages: [
        'de',
        [''],
        ['de DE'],
        ['a'.repeat(36)],
        Array.from({ length: 17 }, () => 'de'),
        [1],
        [null],
      ],
      platform: ['', 'a'.repeat(65), 'Linux\n', 'Lin\u007fux', 'ä'],
      hardwareConcurrency: [-1, 65_536],
      deviceMemory: [-1, 1_025],
      touchPoints: [-1, 257, 0.5],
      ...Object.fromEntries(
        ['canvasHash', 'webglHash', 'fontsHash', 'audioHash', 'mathHash'].map((name) => [
          name,
          ['', '0f3a94c1b7d2e68', '0f3a94c1b7d2e6850', '0F3A94C1B7D2E685', '0f3a94c1b7d2e68g', 1],
        ]),
      ),
    };
    assert.deepEqual(Object.keys(wrong).sort(), Object.keys(signals).sort());
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const isTaken = isBody({ ...body, signals: { [name]: value } });
        assert.equal(isTaken, false, `${name} ${JSON.stringify(value)}`);
      }
    }
  });

  test('fits into the limits of a body at its largest', () => {
    const largest = {
      agentVersion: '9999.9999.9999',
      storedToken: 'a'.repeat(256),
      signals: {
        ...signals,
        platform: '"'.repeat(64),
        timezone: 'a'.repeat(64),
        languages: Array.from({ length: 16 }, () => 'a'.repeat(35)),
      },
      consent: 'UNKNOWN',
      page: { origin: `https://${'a'.repeat(259)}`, path: `/${'\\'.repeat(1_023)}` },
    };
    assert.equal(isBody(largest), true, JSON.stringify(isBody.errors));
    const bytes = Buffer.from(JSON.stringify(largest, null, 2));
    assert.ok(bytes.length <= visitorLimits.identifyBodyBytes, `${bytes.length} bytes`);
    assert.deepEqual(parseJson(bytes, { maxDepth: visitorLimits.identifyBodyDepth }), largest);
  });
});

describe('hashSignals', () => {
  const expected = hashSignals(key, signals, server);

  test('is the same for the same signals in another order', () => {
    assert.equal(expected?.length, 32);
    const reversed = Object.fromEntries(Object.entries(signals).reverse()) as Signals;
    assert.deepEqual(hashSignals(key, reversed, server), expected);
  });

  test('does not change when a person zooms or turns the screen', () => {
    const { pixelRatio: _zoom, ...withoutRatio } = signals;
    assert.deepEqual(hashSignals(key, { ...signals, pixelRatio: 3 }, server), expected);
    assert.deepEqual(hashSignals(key, withoutRatio, server), expected);
    assert.deepEqual(
      hashSignals(key, { ...signals, screenWidth: 1080, screenHeight: 1920 }, server),
      expected,
    );
  });

  test('changes with every other signal, browser, system, and a bot', () => {
    for (const [name, value] of Object.entries(signals)) {
      if (name === 'pixelRatio') continue;
      const other =
        typeof value === 'number' ? value + 1 : Array.isArray(value) ? [...value].reverse() : `${value}0`;
      const { [name]: _left, ...without } = signals as Record<string, unknown>;
      assert.notDeepEqual(hashSignals(key, { ...signals, [name]: other }, server), expected, name);
      assert.notDeepEqual(hashSignals(key, without as Signals, server), expected, name);
    }
    for (const other of [
      { ...server, browserName: 'Chrome' },
      { ...server, osName: 'Windows' },
      { ...server, bot: true },
    ]) {
      assert.notDeepEqual(hashSignals(key, signals, other), expected);
    }
  });

  test('cannot be compared between organizations', () => {
    assert.notDeepEqual(hashSignals(Buffer.alloc(32, 2), signals, server), expected);
    assert.throws(() => hashSignals(Buffer.alloc(31), signals, server), TypeError);
  });

  test('is null if a browser discloses too little', () => {
    const { canvasHash, webglHash, fontsHash: _fonts, audioHash: _audio, ...common } = signals;
    assert.equal(hashSignals(key, {}, server), null);
    assert.equal(hashSignals(key, common, server), null);
    assert.equal(hashSignals(key, { ...common, canvasHash } as Signals, server), null);
    assert.notEqual(hashSignals(key, { ...common, canvasHash, webglHash } as Signals, server), null);
  });

  test('is equal only for equal signals', (context) => {
    const some = fastCheck.record(
      {
        screenWidth: fastCheck.nat(3),
        timezone: fastCheck.constantFrom('UTC', 'Europe/Berlin'),
        languages: fastCheck.array(fastCheck.constantFrom('de', 'en', 'd', 'e'), { maxLength: 3 }),
        platform: fastCheck.constantFrom('a', 'a","timezone":"UTC'),
      },
      { requiredKeys: ['screenWidth'] },
    );
    const telling = { canvasHash: '0f3a94c1b7d2e685', webglHash: '8d51ce02f7a9436b' };
    checkProperty(
      context,
      fastCheck.property(some, some, (left, right) => {
        const [a, b] = [left, right].map((one) => hashSignals(key, { ...telling, ...one }, server));
        assert.equal(a?.equals(b ?? Buffer.alloc(0)), canonicalizeJson(left) === canonicalizeJson(right));
      }),
    );
  });
});
