/**
 * Known browsers: browsers with an earlier sign-in to an account, recognized by a signed cookie per account (OWASP, "Slow Down Online
 * Guessing Attacks with Device Cookies"). The cookie does not authenticate; it only separates the count of failed attempts.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { knownBrowserSeconds } from '../../kernel/identity/session-cookie.ts';
import { randomBase62 } from '../../kernel/lib/base62.ts';

/** Accounts that one browser is known for: the last ones that have signed in. */
const maxAccounts = 5;

const dayMs = 86_400_000;
const pattern = /^(\d{1,10})\.(\d{1,6})\.([0-9A-Za-z]{16})\.([0-9A-Za-z_-]{43})$/;

/** Whom a browser is known for. */
export interface KnownAccount {
  /** As `accountKey` gives it. */
  readonly key: string;
  /** The credential version (`credential-version.ts`); raising it invalidates all known browsers. */
  readonly version: number;
}

/** The content of a cookie about an account. */
export interface KnownBrowser {
  /** Tells the browser from others that are known for the account. */
  readonly id: string;
  readonly version: number;
}

export class KnownBrowsers {
  private readonly key: Buffer;

  /** @param key for this purpose alone */
  constructor(key: Buffer) {
    this.key = key;
  }

  /**
   * Whether a browser was known for an account, at whatever version.
   * @param cookie value of the cookie; null without one
   * @param accountKey as `accountKey` gives it
   */
  find(cookie: string | null, accountKey: string, nowMs = Date.now()): KnownBrowser | null {
    for (const entry of split(cookie)) {
      const found = this.read(entry, accountKey, nowMs);
      if (found !== null) return found;
    }
    return null;
  }

  /** The cookie of a browser that is known for an account from now on, besides those that it has been known for. */
  add(cookie: string | null, { key, version }: KnownAccount, nowMs = Date.now()): string {
    const others = split(cookie).filter((entry) => this.read(entry, key, nowMs) === null);
    const day = Math.floor(nowMs / dayMs);
    const id = randomBase62(16);
    const added = `${version}.${day}.${id}.${this.sign(key, version, day, id)}`;
    return [added, ...others].slice(0, maxAccounts).join('~');
  }

  private read(entry: string, accountKey: string, nowMs: number): KnownBrowser | null {
    const [, version = '', day = '', id = '', signature = ''] = pattern.exec(entry) ?? [];
    if (signature === '') return null;
    const expected = this.sign(accountKey, Number(version), Number(day), id);
    if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return null;
    const isOld = nowMs / dayMs - Number(day) > knownBrowserSeconds / 86_400;
    return isOld ? null : { id, version: Number(version) };
  }

  private sign(accountKey: string, version: number, day: number, id: string): string {
    return createHmac('sha256', this.key)
      .update(`${version}\n${day}\n${id}\n${accountKey}`)
      .digest('base64url');
  }
}

/** The entries of a cookie. Their number is not checked, because only this server writes the cookie. */
function split(cookie: string | null): string[] {
  return (cookie ?? '')
    .slice(0, 1_000)
    .split('~')
    .slice(0, maxAccounts)
    .filter((entry) => pattern.test(entry));
}
