/**
 * The cookies of signed-in people: the session secret, which is sent by pages of this origin only, not readable by scripts, and
 * not valid as a bearer token; and the cookie of a known browser (`known-browsers.ts`).
 */
import { Problem } from '@trellis/schema/problem.ts';
import { parseCookie, stringifySetCookie } from 'cookie';
import { deriveKey, isWellFormedSecret } from './secrets.ts';

/** How long a browser is known after a sign-in, in seconds (365 days); browsers keep a cookie for at most 400 days. */
export const knownBrowserSeconds = 365 * 86_400;

export class SessionCookie {
  /** Scheme, host and port of this server; known once it listens. */
  readonly origin: () => string;
  private readonly installation: string;
  private known = { origin: '', name: '', browserName: '', isSecure: true };

  /** @param installationKey the same on all nodes, so that the cookie has one name on all of them */
  constructor(installationKey: Buffer, origin: () => string) {
    this.origin = origin;
    this.installation = deriveKey(installationKey, 'installation name').toString('hex', 0, 4);
  }

  /**
   * The cookie's name. Cookies ignore ports, so it tells installations on one host apart. The prefix has browsers take it over
   * TLS only, for this very host and all paths (RFC 6265bis, 4.1.3.2); plain http on loopback cannot have that.
   */
  name(): string {
    return this.describe().name;
  }

  /** The secret in a Cookie header; null when there is no such cookie. */
  read(header: string | undefined): string | null {
    if (header === undefined) return null;
    return parseCookie(header)[this.name()] ?? null;
  }

  /** Like `read`, but also null for a value that does not have the form of a secret. */
  readWellFormed(header: string | undefined): string | null {
    const secret = this.read(header);
    return secret !== null && isWellFormedSecret(secret) ? secret : null;
  }

  /** A request is made by a session or by a token. @throws Problem invalid_header when a bearer token is there too */
  refuseBearer(authorization: string | undefined): void {
    if (authorization === undefined) return;
    const detail = 'Send either the cookie of a session or a bearer token.';
    throw new Problem('invalid_header', `Authorization: ${detail}`, {
      errors: [{ header: 'Authorization', code: 'ambiguous', detail }],
    });
  }

  /** The Set-Cookie header for a secret. @param maxAgeSeconds null: until the browser is closed */
  write(secret: string, maxAgeSeconds: number | null): string {
    return this.format(this.name(), secret, maxAgeSeconds);
  }

  /** The secret of a known browser in a Cookie header; null when there is no such cookie. */
  readBrowser(header: string | undefined): string | null {
    if (header === undefined) return null;
    return parseCookie(header)[this.describe().browserName] ?? null;
  }

  /** The Set-Cookie header that makes a browser known. It outlives sessions. */
  writeBrowser(value: string): string {
    return this.format(this.describe().browserName, value, knownBrowserSeconds);
  }

  private format(name: string, value: string, maxAgeSeconds: number | null): string {
    return stringifySetCookie({
      name,
      value,
      ...(maxAgeSeconds === null ? {} : { maxAge: maxAgeSeconds }),
      path: '/',
      httpOnly: true,
      secure: this.describe().isSecure,
      sameSite: 'strict',
    });
  }

  /** The Set-Cookie header that makes a browser forget it. */
  clear(): string {
    return this.write('', 0);
  }

  /** What follows from the origin; every request asks for it. */
  private describe() {
    const origin = this.origin();
    if (origin !== this.known.origin) {
      const { protocol, hostname } = new URL(origin);
      const isSecure = protocol !== 'http:' || !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
      const prefix = isSecure ? '__Host-' : '';
      const name = `${prefix}trellis_session_${this.installation}`;
      const browserName = `${prefix}trellis_browser_${this.installation}`;
      this.known = { origin, name, browserName, isSecure };
    }
    return this.known;
  }
}
