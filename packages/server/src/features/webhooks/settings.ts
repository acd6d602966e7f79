/** What the API and the delivery loop share: the address guard and the secret sealer, so that both decide alike. */
import { AddressGuard } from './address-guard.ts';
import { SecretSealer } from './sealing.ts';

/** The shared parts. */
export interface WebhookSettings {
  readonly guard: AddressGuard;
  readonly sealer: SecretSealer;
}

/**
 * Creates them once at start.
 * @param serverKey at least 32 bytes, the same on every node
 * @param allowPrivate private ranges that may be called, in CIDR notation
 * @throws RangeError for a key that is too short and for a text that is not a range
 */
export function createWebhookSettings(serverKey: Buffer, allowPrivate: readonly string[]): WebhookSettings {
  return { guard: new AddressGuard({ allowPrivate }), sealer: new SecretSealer(serverKey) };
}
