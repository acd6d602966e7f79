/** The dependencies of signing in, created once at start. */
import type { Database } from '../../kernel/database/database.ts';
import { deriveKey } from '../../kernel/identity/secrets.ts';
import type { SessionCookie } from '../../kernel/identity/session-cookie.ts';
import { Sealer } from '../../kernel/lib/sealer.ts';
import { Delays } from './delays.ts';
import { ExternalProvider, type ExternalSettings } from './external.ts';
import { type AttemptLog, FailedAttempts } from './failed-attempts.ts';
import { KnownBrowsers } from './known-browsers.ts';
import { Mailer, type MailSettings } from './mail.ts';
import { PasswordHasher } from './passwords.ts';

/** Settings of the operator. */
export interface SignInSettings {
  /** Seconds after which a session that is not used ends. */
  readonly idleSeconds: number;
  /** Requests a minute from one network to one process; 0 is no limit. */
  readonly callsPerNetwork: number;
  /** Null: links cannot be mailed. */
  readonly mail: MailSettings | null;
  /** Null: signing in with external accounts is not configured. */
  readonly external: ExternalSettings | null;
}

export interface SignInContext {
  /** As the role that signs people in. */
  readonly auth: Database;
  readonly cookie: SessionCookie;
  readonly hasher: PasswordHasher;
  readonly delays: Delays;
  readonly browsers: KnownBrowsers;
  readonly failed: FailedAttempts;
  readonly sealer: Sealer;
  /** Derives the keys that encrypt the browsers' local storage. */
  readonly browserStorageKey: Buffer;
  readonly idleSeconds: number;
  readonly callsPerNetwork: number;
  readonly mailer: Mailer | null;
  readonly external: ExternalProvider | null;
}

/**
 * @param installationKey 32 bytes, the same on all nodes
 * @param cookie of this server
 * @param log for failed attempts
 */
export function createSignInContext(
  auth: Database,
  cookie: SessionCookie,
  installationKey: Buffer,
  { idleSeconds, callsPerNetwork, mail, external }: SignInSettings,
  log: AttemptLog,
): SignInContext {
  return {
    auth,
    cookie,
    hasher: new PasswordHasher(),
    delays: new Delays(auth, deriveKey(installationKey, 'sign-in delays')),
    browsers: new KnownBrowsers(deriveKey(installationKey, 'known browsers')),
    failed: new FailedAttempts(log, deriveKey(installationKey, 'failed attempts')),
    sealer: new Sealer(deriveKey(installationKey, 'sign-in secrets')),
    browserStorageKey: deriveKey(installationKey, 'browser storage'),
    idleSeconds,
    callsPerNetwork,
    mailer: mail === null ? null : new Mailer(mail),
    external: external === null ? null : new ExternalProvider(external),
  };
}
