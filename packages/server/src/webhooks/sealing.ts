/**
 * Encryption of webhook secrets: a secret that signs cannot be kept as a hash, so whoever reads the database, or a backup of
 * it, would be able to sign. It is bound to its endpoint.
 */
import { hkdfSync } from 'node:crypto';
import { Sealer } from '../lib/sealer.ts';

/** Whose secret it is; uuids. */
export interface SecretOwner {
  readonly organizationId: string;
  readonly endpointId: string;
}

const keyBytes = 32;

/** Seals and opens secrets of endpoints. */
export class SecretSealer {
  private readonly sealer: Sealer;

  /** @param serverKey at least 32 random bytes, the same on every node and for as long as the secrets are to be used */
  constructor(serverKey: Buffer) {
    if (serverKey.length < keyBytes) throw new RangeError(`The key must have at least ${keyBytes} bytes.`);
    // RFC 5869. The purpose in `info` keeps this key apart from others that are made of the same one.
    this.sealer = new Sealer(
      Buffer.from(hkdfSync('sha256', serverKey, '', 'trellis webhook secrets 1', keyBytes)),
    );
  }

  seal(secret: string, owner: SecretOwner): string {
    return this.sealer.seal(secret, bindingOf(owner));
  }

  /** @throws SealBrokenError */
  open(sealed: string, owner: SecretOwner): string {
    return this.sealer.open(sealed, bindingOf(owner));
  }
}

function bindingOf({ organizationId, endpointId }: SecretOwner): string {
  return `${organizationId}/${endpointId}`;
}
