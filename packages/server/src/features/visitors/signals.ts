/**
 * The body of an identify call and the hash of its signals. The body is closed and bounded, so that nothing else can be
 * stored through it. Signals are only stored as one hash under a key of the organization, which allows comparisons within
 * the organization only.
 */
import { createHmac } from 'node:crypto';
import { type Static, Type } from '@trellis/schema/resources/type.ts';
import { canonicalizeJson } from '@trellis/schema/values/canonical-json.ts';
import { visitorLimits } from './limits.ts';

/** What a page can say about its visitor's consent. */
export const consents = ['GRANTED', 'DENIED', 'UNKNOWN'] as const;
export type Consent = (typeof consents)[number];

/** Sixteen hexadecimal digits computed in the browser: the data behind them are large and not needed. */
function browserHash(description: string, example: string) {
  return Type.Optional(
    Type.String({ pattern: '^[0-9a-f]{16}$', maxLength: 16, description, examples: [example] }),
  );
}

function size(description: string, example: number) {
  return Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535, description, examples: [example] }));
}

/** What the agent collects. Values that a browser does not disclose are absent. */
const signalsSchema = Type.Object(
  {
    screenWidth: size('Width of the screen in CSS pixels.', 1920),
    screenHeight: size('Height of the screen in CSS pixels.', 1080),
    colorDepth: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 128, description: 'Bits of colour per pixel.', examples: [24] }),
    ),
    pixelRatio: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'Device pixels per CSS pixel. It changes with the zoom, so it recognizes nobody.',
        examples: [2],
      }),
    ),
    timezone: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z0-9_+/-]+$',
        maxLength: visitorLimits.timezoneCharacters,
        description: 'IANA time zone.',
        examples: ['Europe/Berlin'],
      }),
    ),
    languages: Type.Optional(
      Type.Array(
        Type.String({
          pattern: '^[A-Za-z0-9-]+$',
          maxLength: visitorLimits.languageCharacters,
          examples: ['de-DE'],
        }),
        {
          maxItems: visitorLimits.languages,
          description: 'Languages the person reads, the preferred first (BCP 47).',
          examples: [['de-DE', 'de', 'en']],
        },
      ),
    ),
    platform: Type.Optional(
      Type.String({
        pattern: '^[ -~]+$',
        maxLength: visitorLimits.platformCharacters,
        description: 'The platform, as named by the browser.',
        examples: ['Linux x86_64'],
      }),
    ),
    hardwareConcurrency: size('Logical processors.', 8),
    deviceMemory: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1_024,
        description: 'Memory in gigabytes, as coarsely as the browser reports it.',
        examples: [8],
      }),
    ),
    touchPoints: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 256,
        description: 'Number of touches that the screen can distinguish; 0 without a touch screen.',
        examples: [0],
      }),
    ),
    canvasHash: browserHash(
      'Hash of a drawing, which differs by graphics stack and fonts.',
      '0f3a94c1b7d2e685',
    ),
    webglHash: browserHash('Hash of the vendor and name of the graphics unit.', '8d51ce02f7a9436b'),
    fontsHash: browserHash('Hash of which well-known fonts are installed.', '37be19d4085fa2c6'),
    audioHash: browserHash('Hash of a computed sound, which differs by audio stack.', 'e2601b8f5dc3974a'),
    mathHash: browserHash(
      'Hash of some transcendental functions, which differ by engine.',
      '5a7f20c8e913bd46',
    ),
  },
  { additionalProperties: false, description: 'What the browser tells about itself.' },
);
export type Signals = Static<typeof signalsSchema>;

/** The body of an identify call. */
export const identifyBodySchema = Type.Object(
  {
    agentVersion: Type.String({
      pattern: '^[0-9]{1,4}\\.[0-9]{1,4}\\.[0-9]{1,4}$',
      maxLength: 14,
      description: 'Version of the agent that collected the signals.',
      examples: ['1.0.0'],
    }),
    storedToken: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: visitorLimits.storedTokenCharacters,
        description:
          'The `storedToken` of the preceding response, unchanged. One that is not valid counts as none.',
        examples: ['AQE'],
      }),
    ),
    signals: signalsSchema,
    consent: Type.Unsafe<Consent>({
      type: 'string',
      enum: [...consents],
      description: 'What the visitor said about being recognized. After DENIED nothing is kept beyond a day.',
      examples: ['GRANTED'],
    }),
    page: Type.Object(
      {
        origin: Type.String({
          pattern: '^https?://[^\\s/?#@]+$',
          maxLength: visitorLimits.originCharacters,
          description: 'Origin of the page.',
          examples: ['https://www.example.com'],
        }),
        path: Type.String({
          pattern: '^/[!-~]*$',
          maxLength: visitorLimits.pathCharacters,
          description: 'Path of the page, percent-encoded, without query and fragment.',
          examples: ['/pricing'],
        }),
      },
      { additionalProperties: false, description: 'Where the visitor is.' },
    ),
  },
  { additionalProperties: false },
);
export type IdentifyBody = Static<typeof identifyBodySchema>;

/** What the server derives from the request's headers, see describeClient. Names, not versions. */
export interface ServerSide {
  readonly browserName: string;
  readonly osName: string;
  readonly bot: boolean;
}

/** Signals of which a hash is worth something: without any of them, browsers by the thousand look the same. */
const distinctiveSignals = ['canvasHash', 'webglHash', 'fontsHash', 'audioHash'] as const;
const fewestDistinctiveSignals = 2;

/**
 * HMAC-SHA256 of the signals that stay the same between two visits of one browser. Excluded are values that change by
 * themselves: the pixel ratio (zoom), versions (every few weeks), window, page and network. A rotated screen counts as the
 * same screen.
 *
 * @param key the organization's own, 32 bytes
 * @returns null when the browser discloses too little to be recognized; such signals must not match anyone
 * @throws TypeError for a key that is too short, and for text with lone surrogates (no validated body has any)
 */
export function hashSignals(key: Buffer, signals: Signals, serverSide: ServerSide): Buffer | null {
  if (key.length < 32) throw new TypeError('A key for signals needs at least 32 bytes.');
  const present = distinctiveSignals.filter((name) => signals[name] !== undefined);
  if (present.length < fewestDistinctiveSignals) return null;
  const { pixelRatio: _changesWithZoom, screenWidth = 0, screenHeight = 0, ...stable } = signals;
  const hashed = {
    ...stable,
    screen: [Math.max(screenWidth, screenHeight), Math.min(screenWidth, screenHeight)],
    server: { browserName: serverSide.browserName, osName: serverSide.osName, bot: serverSide.bot },
  };
  return createHmac('sha256', key)
    .update(`trellis signals 1\n${canonicalizeJson(hashed)}`)
    .digest();
}
