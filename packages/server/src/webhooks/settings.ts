/** Why: the server that takes endpoints and the loop that calls them must judge addresses and open secrets alike. */
import { AddressGuard } from './address-guard.ts';
import { SecretSealer } from './sealing.ts';

/** What both need. */
export interface WebhookSettings {
  readonly guard: AddressGuard;
  readonly sealer: SecretSealer;
}

/**
 * Made once at start, of the configuration.
 * @param serverKey at least 32 bytes, the same on every node
 * @param allowPrivate ranges of the operator's own network that may be called, in CIDR notation
 * @throws RangeError for a key that is too short and for a text that is no range
 */
export function createWebhookSettings(serverKey: Buffer, allowPrivate: readonly string[]): WebhookSettings {
  return { guard: new AddressGuard({ allowPrivate }), sealer: new SecretSealer(serverKey) };
}
