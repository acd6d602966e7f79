/**
 * Browser, operating system and device of a request. They are read from the request's headers, not from what a script
 * claims. Headers can contain anything, so names and versions are shortened, cleaned and mapped to closed lists.
 */
import { parse } from 'bowser';
import { isbot } from 'isbot';
import { visitorLimits } from './limits.ts';

/** The kinds of device, as the libraries and client hints name them. `bot` is everything that is not a person. */
export const deviceTypes = ['desktop', 'mobile', 'tablet', 'tv', 'bot', 'unknown'] as const;
type DeviceType = (typeof deviceTypes)[number];

/** The client. Unknown values are `unknown`, never empty. */
export interface ClientDescription {
  readonly browser: { readonly name: string; readonly version: string };
  /** For telling signals of different systems apart; not part of a visitor's record. */
  readonly os: { readonly name: string };
  readonly device: { readonly type: DeviceType };
  readonly bot: boolean;
}

/** Headers by lower-case name, as node gives them. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

const unknown = 'unknown';

/**
 * Describes a client from `User-Agent` and the client hints that browsers send unasked (`Sec-CH-UA`,
 * `Sec-CH-UA-Mobile`, `Sec-CH-UA-Platform`; https://wicg.github.io/ua-client-hints/).
 *
 * @param touchPoints `navigator.maxTouchPoints` of the signals: an iPad asks for desktop pages as a Mac by default,
 *   and no Mac has a touch screen
 */
export function describeClient(headers: RequestHeaders, touchPoints = 0): ClientDescription {
  const userAgent = readHeader(headers, 'user-agent', visitorLimits.userAgentCharacters);
  const brands = readBrands(readHeader(headers, 'sec-ch-ua', visitorLimits.clientHintsCharacters));
  // Every browser sends a user agent. Automation that changes it often keeps its name in the client hints.
  const bot = userAgent === '' || isbot(userAgent) || brands.some(({ brand }) => /headless/i.test(brand));
  const parsed = userAgent === '' ? null : parse(userAgent, { brands });
  const isDisguisedTablet =
    parsed?.os.name === 'macOS' &&
    touchPoints > 1 &&
    brands.length === 0 &&
    parsed.platform.type === 'desktop';
  const type = isDisguisedTablet ? 'tablet' : deviceTypeOf(parsed?.platform.type, headers);
  return {
    browser: {
      name: cleanName(parsed?.browser.name),
      version: cleanVersion(parsed?.browser.version),
    },
    os: { name: isDisguisedTablet ? 'iOS' : cleanName(parsed?.os.name) },
    device: { type: bot ? 'bot' : type },
    bot,
  };
}

function readHeader(headers: RequestHeaders, name: string, maxCharacters: number): string {
  const value = headers[name];
  const text = Array.isArray(value) ? value[0] : value;
  return (text ?? '').slice(0, maxCharacters).trim();
}

function deviceTypeOf(platform: string | undefined, headers: RequestHeaders): DeviceType {
  const known = deviceTypes.find((type) => type === platform);
  if (known !== undefined) return known;
  const mobile = readHeader(headers, 'sec-ch-ua-mobile', 8);
  return mobile === '?1' ? 'mobile' : 'unknown';
}

/** `"Chromium";v="141", "Not?A_Brand";v="8"`: a list of strings with a parameter (RFC 8941). */
function readBrands(header: string): { brand: string; version: string }[] {
  const item = /"((?:[^"\\]|\\["\\]){1,64})"\s*;\s*v="([0-9.]{1,24})"/g;
  return Array.from(header.matchAll(item), ([, brand = '', version = '']) => ({ brand, version }));
}

/** Keeps letters, digits and the punctuation of names; anything else could be markup or a control character. */
function cleanName(name: string | undefined): string {
  const cleaned = (name ?? '')
    .replace(/[^A-Za-z0-9 ._+!-]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .slice(0, visitorLimits.browserNameCharacters)
    .trim();
  return /[A-Za-z0-9]/.test(cleaned) ? cleaned : unknown;
}

/** The leading number with its dots: `18.1`, `141.0.0.0`. Some write underscores. */
function cleanVersion(version: string | undefined): string {
  const [number] = /^\d+(?:\.\d+)*/.exec((version ?? '').replaceAll('_', '.').trim()) ?? [];
  return number?.slice(0, visitorLimits.browserVersionCharacters).replace(/\.$/, '') ?? unknown;
}
