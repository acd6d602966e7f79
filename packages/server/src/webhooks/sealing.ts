/**
 * Why: a secret that signs cannot be kept as a hash, so whoever reads the database, or a backup of it, would be able to
 * sign. It is kept encrypted under a key that is not in the database, and bound to its endpoint, so that the ciphertext
 * of one is of no use in the row of another.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Whose secret it is; uuids. */
export interface SecretOwner {
  readonly organizationId: string;
  readonly endpointId: string;
}

/** The secret cannot be opened: it was sealed under another key, or for another endpoint, or was damaged. */
export class SealBrokenError extends Error {
  constructor() {
    super('The secret of a webhook endpoint was sealed under another key.');
    this.name = 'SealBrokenError';
  }
}

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;

/** Seals and opens secrets: a byte of version, 12 of nonce, the ciphertext, 16 of tag (AES-256-GCM), in base64. */
export class SecretSealer {
  private readonly key: Buffer;

  /** @param serverKey at least 32 random bytes, the same on every node and for as long as the secrets are to be used */
  constructor(serverKey: Buffer) {
    if (serverKey.length < keyBytes) throw new RangeError(`The key must have at least ${keyBytes} bytes.`);
    // RFC 5869. The purpose in `info` keeps this key apart from others that are made of the same one.
    this.key = Buffer.from(hkdfSync('sha256', serverKey, '', 'trellis webhook secrets 1', keyBytes));
  }

  seal(secret: string, owner: SecretOwner): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce, { authTagLength: tagBytes });
    cipher.setAAD(bindingOf(owner));
    const parts = [Buffer.from([version]), nonce, cipher.update(secret, 'utf8'), cipher.final()];
    return Buffer.concat([...parts, cipher.getAuthTag()]).toString('base64');
  }

  /** @throws SealBrokenError */
  open(sealed: string, owner: SecretOwner): string {
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes[0] !== version || bytes.length < 1 + nonceBytes + tagBytes) throw new SealBrokenError();
    const nonce = bytes.subarray(1, 1 + nonceBytes);
    const decipher = createDecipheriv('aes-256-gcm', this.key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(bindingOf(owner));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    try {
      const text = decipher.update(bytes.subarray(1 + nonceBytes, -tagBytes));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      throw new SealBrokenError();
    }
  }
}

function bindingOf({ organizationId, endpointId }: SecretOwner): Buffer {
  return Buffer.from(`${organizationId}/${endpointId}`);
}
