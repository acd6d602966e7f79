/**
 * A health check that uses the store like everything else: a wrong secret, a missing permission or a full disk fails one of
 * its calls.
 */
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { type ObjectStore, ObjectStoreError } from './object-store.ts';

/**
 * The nil UUID (RFC 9562, section 5.9), which no organization has. The probe of a killed process is unreferenced, and the
 * sweep removes it.
 */
const probeOrganizationId = '00000000-0000-0000-0000-000000000000';
const probeTimeoutMs = 30_000;

/**
 * Stores, reads, lists and removes an object of its own.
 * @throws ObjectStoreError `unavailable`
 */
export async function checkByProbe(store: Omit<ObjectStore, 'check'>): Promise<void> {
  const bytes = Buffer.from(`probe ${randomUUID()}`);
  const signal = AbortSignal.timeout(probeTimeoutMs);
  try {
    const { sha256 } = await store.put(probeOrganizationId, one(bytes), { maxBytes: bytes.length, signal });
    const read = await buffer(await store.open(probeOrganizationId, sha256));
    const [listed] = await store.list(probeOrganizationId, before(sha256), 1);
    await store.remove(probeOrganizationId, sha256);
    if (!read.equals(bytes)) throw broken('returns other bytes than were stored');
    if (listed?.sha256 !== sha256) throw broken('does not list a stored object');
    if (await store.has(probeOrganizationId, sha256)) throw broken('keeps an object that was removed');
  } catch (error) {
    if (error instanceof ObjectStoreError && error.reason === 'unavailable') throw error;
    if (signal.aborted) throw broken(`did not respond within ${probeTimeoutMs} ms`, error);
    throw broken(`failed: ${error instanceof Error ? error.message : String(error)}`, error);
  }
}

/** The hash just below another, so that a list starts with that one; null below the first. */
function before(sha256: string): string | null {
  const below = BigInt(`0x${sha256}`) - 1n;
  return below < 0n ? null : below.toString(16).padStart(64, '0');
}

function broken(fact: string, cause?: unknown): ObjectStoreError {
  return new ObjectStoreError('unavailable', `The object store ${fact}.`, cause);
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
