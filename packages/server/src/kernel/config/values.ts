/** Parsers of setting values. Each throws an error whose message continues the name of the setting. */
import { isIP } from 'node:net';
import { normalizeEmail } from '@trellis/schema/values/email.ts';
import { splitHosts } from '../database/hosts.ts';

/** Log levels from least to most; `silent` logs nothing. */
const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export function readInteger(text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d{1,12}$/.test(text) || value < min || value > max) {
    throw new Error(`must be a whole number from ${min} to ${max}, not "${text}".`);
  }
  return value;
}

export function readSwitch(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new Error(`must be "on" or "off", not "${text}".`);
  return text === 'on';
}

export function readHost(text: string): string {
  if (!/^[0-9A-Za-z.:_-]+$/.test(text)) {
    throw new Error(`must be an IP address or a host name, not "${text}".`);
  }
  return text;
}

/**
 * An address to listen on: `HOST:PORT` (IPv6 in brackets), or a port of the loopback interface.
 * @returns null for `off`
 */
export function readMetricsPlace(text: string): { host: string; port: number } | null {
  if (text === 'off') return null;
  const [, bracketed, plain, port = ''] = /^(?:\[([0-9A-Fa-f:.]+)\]:|([^:\s]+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === '' || Number(port) > 65_535) {
    throw new Error(`must be HOST:PORT, a port, or "off", not "${text}".`);
  }
  return { host: readHost(bracketed ?? plain ?? '127.0.0.1'), port: Number(port) };
}

export function readAddresses(text: string): string {
  const list = text.split(',').map((address) => address.trim());
  for (const entry of list) {
    const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
    const longest = isIP(address) === 6 ? 128 : 32;
    if (isIP(address) === 0 || (bits !== undefined && Number(bits) > longest)) {
      throw new Error(`must be IP addresses or CIDR blocks, separated by commas, not "${entry}".`);
    }
  }
  return list.join(',');
}

export function readPublicUrl(text: string, path: string): string {
  const url = URL.parse(text);
  const plain = url !== null && url.search === '' && url.hash === '' && url.username === '';
  if (!plain || !/^https?:$/.test(url.protocol) || url.pathname.replace(/\/$/, '') !== path) {
    throw new Error(`must be an http or https URL that ends in ${path} after the host, not "${text}".`);
  }
  return `${url.origin}${path}`;
}

/** The value may contain a password, so it never appears in the message. */
export function readDatabaseUrl(text: string): string {
  for (const host of splitHosts(text)) {
    const url = URL.parse(host);
    if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) {
      throw new Error('must have the form postgres://user:password@host:5432/database.');
    }
    if (url.pathname.length < 2) throw new Error('must name a database after the host.');
  }
  return text;
}

/** The servers of one NATS system, and how to authenticate there. */
export interface NatsServers {
  /** `host:port` of each. */
  readonly addresses: readonly string[];
  readonly tls: boolean;
  readonly login:
    | { readonly user: string; readonly pass: string }
    | { readonly token: string }
    | Record<string, never>;
}

/** The value may contain a password, so it never appears in the message. */
export function readNatsServers(text: string): NatsServers {
  const urls = text.split(',').map((part) => URL.parse(part.trim()));
  const [first] = urls;
  const addresses = urls.map((url) => {
    const isBare = url !== null && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '';
    if (!isBare || url.hostname === '' || !/^(nats|tls):$/.test(url.protocol)) {
      throw new Error(
        'must have the form nats://user:password@host:4222 or tls://…, several separated by commas.',
      );
    }
    if (url.protocol !== first?.protocol) throw new Error('must be all nats:// or all tls://.');
    if (url !== first && (url.username !== '' || url.password !== '')) {
      throw new Error('must name the user and the password in the first URL, for all of them.');
    }
    return `${url.hostname}:${url.port || '4222'}`;
  });
  const [user, pass] = [first?.username ?? '', first?.password ?? ''].map(decodeURIComponent);
  const login = pass ? { user: user ?? '', pass } : user ? { token: user } : {};
  return { addresses, tls: first?.protocol === 'tls:', login };
}

/** The value may contain a password, so it never appears in the message. */
export function readRedisUrl(text: string): string {
  const url = URL.parse(text);
  const isBare = url !== null && url.search === '' && url.hash === '' && /^(\/\d{0,4})?$/.test(url.pathname);
  if (!isBare || url.hostname === '' || !/^rediss?:$/.test(url.protocol) || !isDecodable(url)) {
    throw new Error('must have the form redis://user:password@host:6379/0 or rediss://….');
  }
  return text;
}

function isDecodable({ username, password }: URL): boolean {
  try {
    decodeURIComponent(`${username}${password}`);
    return true;
  } catch {
    return false;
  }
}

/** The name of a NATS stream, which has no dots. */
export function readStreamName(text: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(text)) {
    throw new Error(`must be letters, digits, "-" and "_", not "${text}".`);
  }
  return text;
}

/** The prefix of NATS subjects. */
export function readSubjectPrefix(text: string): string {
  if (!/^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/.test(text)) {
    throw new Error(`must be words of letters, digits, "-" and "_", joined by dots, not "${text}".`);
  }
  return text;
}

export function readStoreUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '') {
    throw new Error('must be an http or https URL without user name and query.');
  }
  return url.href;
}

/** The value may hold a password, so it never appears in the message. */
export function readSmtpUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || url.search !== '') {
    throw new Error('must have the form smtp://user:password@host:587 or smtps://….');
  }
  return text;
}

/** An address, or a name with an address in angle brackets (RFC 5322, 3.4). */
export function readMailFrom(text: string): string {
  const [, address = ''] = /^[^<>\r\n"]*<([^<>\s]+)>$/.exec(text) ?? [null, text];
  if (normalizeEmail(address) === null) {
    throw new Error(`must be an e-mail address, or a name with one in angle brackets, not "${text}".`);
  }
  return text;
}

export function readIssuer(text: string): string {
  const url = URL.parse(text);
  const isHere = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isHere);
  if (url === null || !isSafe || url.search !== '' || url.hash !== '') {
    throw new Error(`must be an https URL without a query, not "${text}".`);
  }
  return text;
}

export function readKey(text: string): Buffer {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
  if (key.length !== 32 || !/^[0-9A-Za-z+/_=-]+$/.test(text)) {
    throw new Error('must be 32 bytes, as 64 hexadecimal digits or in base64.');
  }
  return key;
}

export function readLogLevel(text: string): LogLevel {
  const level = logLevels.find((candidate) => candidate === text);
  if (level === undefined) throw new Error(`must be one of ${logLevels.join(', ')}, not "${text}".`);
  return level;
}

const secondsOfUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/**
 * Seconds of a duration such as `90d`, `24h`, `30m` or `45s`.
 * @throws Error when it is none or outside the bounds
 */
export function readDuration(text: string, minSeconds: number, maxSeconds: number): number {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (secondsOfUnit[unit] ?? Number.NaN);
  if (!(seconds >= minSeconds && seconds <= maxSeconds)) {
    throw new Error(
      `must be a duration from ${formatDuration(minSeconds)} to ${formatDuration(maxSeconds)}, such as 7d or 36h, not "${text}".`,
    );
  }
  return seconds;
}

function formatDuration(seconds: number): string {
  const unit = ['d', 'h', 'm'].find((candidate) => seconds % (secondsOfUnit[candidate] ?? 1) === 0) ?? 's';
  return `${seconds / (secondsOfUnit[unit] ?? 1)}${unit}`;
}
