/**
 * Encryption of webhook secrets. A signing secret cannot be stored as a hash, so it is encrypted under a key that is not in
 * the database: reading the database or a backup does not allow signing. The ciphertext is bound to its endpoint and
 * cannot be used in the row of another one.
 */
import { hkdfSync } from 'node:crypto';
import { Sealer } from '../../kernel/lib/sealer.ts';

/** Whose secret it is; uuids. */
export interface SecretOwner {
  readonly organizationId: string;
  readonly endpointId: string;
}

const keyBytes = 32;

/** Seals and opens secrets of endpoints. */
export class SecretSealer {
  private readonly sealer: Sealer;

  /** @param serverKey at least 32 random bytes, the same on every node for as long as the secrets are used */
  constructor(serverKey: Buffer) {
    if (serverKey.length < keyBytes) throw new RangeError(`The key must have at least ${keyBytes} bytes.`);
    // RFC 5869. The purpose in `info` separates this key from others derived from the same one.
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
