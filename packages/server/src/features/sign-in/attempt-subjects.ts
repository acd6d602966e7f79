/**
 * Selects the counters of failed attempts for an attempt: the counter of a browser that has signed in to the account before, or the
 * counters of unknown browsers, by network and in total. Names contain the credential version, so a reset restarts all counters.
 */
import { type Account, accountKey } from './accounts.ts';
import type { DelaySubject } from './delays.ts';
import type { KnownBrowser } from './known-browsers.ts';

/** Whose password hash it is, of whom few are computed at once. */
export interface HashOwner {
  /** A network, or a person or browser that is known. */
  readonly name: string;
  /** Whether the browser has signed in before. */
  readonly isKnown: boolean;
}

/** Counts of passwords. @param account null when there is none of the address */
export function passwordSubjects(
  key: string,
  account: Account | null,
  network: string,
  browser: KnownBrowser | null,
): DelaySubject[] {
  const version = account?.credentialVersion ?? 0;
  const value = `${key}\n${version}`;
  return browser?.version === version
    ? [{ kind: 'knownBrowser', value: `${value}\n${browser.id}` }]
    : [
        { kind: 'accountFromNetwork', value: `${value}\n${network}` },
        { kind: 'account', value },
        { kind: 'network', value: network },
      ];
}

/** Counts of codes, after the first factor. */
export function codeSubjects(
  { userId, credentialVersion: version }: Account,
  network: string,
  browser: KnownBrowser | null,
): DelaySubject[] {
  const value = `${userId}\n${version}`;
  return browser?.version === version
    ? [{ kind: 'knownBrowserSecondFactor', value: `${value}\n${browser.id}` }]
    : [
        { kind: 'secondFactor', value },
        { kind: 'network', value: network },
      ];
}

/** Counts of mailed links for a new password. */
export function resetSubjects(
  account: Account,
  network: string,
  browser: KnownBrowser | null,
): DelaySubject[] {
  const { userId, credentialVersion: version } = account;
  return browser?.version === version
    ? [{ kind: 'resetFromOnePlace', value: `${userId}\nbrowser ${browser.id}` }]
    : [
        { kind: 'resetFromOnePlace', value: `${userId}\n${network}` },
        { kind: 'reset', value: userId },
      ];
}

/** Whose password hash it is. A cookie whose version is not looked up yet is good enough to go first. */
export function hashOwner(network: string, browser: KnownBrowser | null): HashOwner {
  return browser === null
    ? { name: network, isKnown: false }
    : { name: `browser ${browser.id}`, isKnown: true };
}

/** Like `hashOwner`, for a person identified by a session or a link. */
export function hashOwnerOf({ email }: Pick<Account, 'email'>): HashOwner {
  return { name: `person ${accountKey(email)}`, isKnown: true };
}
