/**
 * Encryption of secrets that must be read again, under a key that is not in the database: AES-256-GCM, as one byte of version,
 * 12 of nonce, the ciphertext and 16 of tag, in base64. Each ciphertext is bound to its owner, so it cannot be used in another
 * row.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** The secret cannot be opened: it was sealed under another key, or for another owner, or was damaged. */
export class SealBrokenError extends Error {
  constructor() {
    super('A secret was sealed under another key.');
    this.name = 'SealBrokenError';
  }
}

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;

export class Sealer {
  private readonly key: Buffer;

  /** @param key 32 bytes, for this purpose alone */
  constructor(key: Buffer) {
    this.key = key;
  }

  /** @param owner the owner, always in the same form */
  seal(secret: string, owner: string): string {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce, { authTagLength: tagBytes });
    cipher.setAAD(Buffer.from(owner));
    const parts = [Buffer.from([version]), nonce, cipher.update(secret, 'utf8'), cipher.final()];
    return Buffer.concat([...parts, cipher.getAuthTag()]).toString('base64');
  }

  /** @throws SealBrokenError */
  open(sealed: string, owner: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    if (bytes[0] !== version || bytes.length < 1 + nonceBytes + tagBytes) throw new SealBrokenError();
    const nonce = bytes.subarray(1, 1 + nonceBytes);
    const decipher = createDecipheriv('aes-256-gcm', this.key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(owner));
    decipher.setAuthTag(bytes.subarray(-tagBytes));
    try {
      const text = decipher.update(bytes.subarray(1 + nonceBytes, -tagBytes));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      throw new SealBrokenError();
    }
  }
}
