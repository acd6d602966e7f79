/**
 * Keys of the visitor functions, derived from the installation's visitor key (HKDF, RFC 5869). Without that key the stored
 * hashes are useless, and no two organizations can compare their visitors.
 */
import { hkdfSync } from 'node:crypto';
import type { StoredTokenKeys } from './stored-token.ts';

const keyBytes = 32;

/** The keys of visitors, derived from the installation's visitor key. */
export interface VisitorKeys {
  readonly storedTokens: StoredTokenKeys;
  /** The key under which an organization's signals are hashed. */
  signals(organizationId: string): Buffer;
  /** The key under which networks are hashed for limits that nodes share. */
  readonly networks: Buffer;
}

/** @throws TypeError for a key that is not 32 bytes long */
export function deriveVisitorKeys(visitorKey: Buffer): VisitorKeys {
  if (visitorKey.length !== keyBytes) throw new TypeError(`The visitor key needs ${keyBytes} bytes.`);
  const derive = (salt: string, purpose: string) =>
    Buffer.from(hkdfSync('sha256', visitorKey, salt, `trellis visitors: ${purpose}`, keyBytes));
  return {
    storedTokens: { currentId: 1, keys: new Map([[1, derive('', 'stored tokens')]]) },
    signals: (organizationId) => derive(organizationId, 'signals'),
    networks: derive('', 'networks'),
  };
}
