/**
 * Encryption of webhook secrets. A signing secret cannot be stored as a hash, so it is encrypted under a key that is not in
 * the database: reading the database or a backup does not allow signing. The ciphertext is bound to its endpoint and
 * cannot be used in the row of another one.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Whose secret it is; uuids. */
export interface SecretOwner {
  readonly organizationId: string;
  readonly endpointId: string;
}

/** The secret cannot be decrypted: it was sealed under another key or for another endpoint, or is damaged. */
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

/** Encrypts and decrypts secrets: a version byte, 12 of nonce, the ciphertext, 16 of tag (AES-256-GCM), in base64. */
export class SecretSealer {
  private readonly key: Buffer;

  /** @param serverKey at least 32 random bytes, the same on every node for as long as the secrets are used */
  constructor(serverKey: Buffer) {
    if (serverKey.length < keyBytes) throw new RangeError(`The key must have at least ${keyBytes} bytes.`);
    // RFC 5869. The purpose in `info` separates this key from others derived from the same one.
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
