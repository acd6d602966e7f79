/**
 * Network prefixes of callers, for rate limits of the identify call. Addresses are never stored: calls are counted per
 * network (a single IPv6 user has at least 2^64 addresses), under a keyed hash that cannot be reversed.
 */
import { createHmac } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';

/**
 * The network of an address: `/24` of IPv4, `/56` of IPv6 (what a household or office gets, RFC 6177). An IPv4 address
 * in IPv6 (`::ffff:192.0.2.1`, RFC 4291 section 2.5.5.2) is the IPv4 address; a zone (`%eth0`) is ignored.
 * @returns null for text that is not an address
 */
export function addressPrefix(address: string): string | null {
  const found = readAddress(address);
  if (found === null) return null;
  if (typeof found === 'string') return prefixOfIPv4(found);
  const [first = 0, second = 0, third = 0, fourth = 0] = found;
  const network = [first, second, third, fourth & 0xff00].map((group) => group.toString(16));
  return `${network.join(':')}::/56`;
}

/** The network of one host: the address of IPv4, `/64` of IPv6. @returns null for text that is not an address */
export function hostPrefix(address: string): string | null {
  const found = readAddress(address);
  if (found === null || typeof found === 'string') return found;
  const network = found.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** An IPv4 address as text, also one in IPv6; the eight groups of any other IPv6 address; null for no address. */
function readAddress(address: string): string | readonly number[] | null {
  if (isIPv4(address)) return address;
  if (!isIPv6(address)) return null;
  const groups = expandIPv6(address);
  const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0, sixth = 0, seventh = 0, eighth = 0] =
    groups;
  const isMapped = first + second + third + fourth + fifth === 0 && sixth === 0xffff;
  return isMapped ? `${seventh >> 8}.${seventh & 255}.${eighth >> 8}.${eighth & 255}` : groups;
}

/**
 * The name of a sender's network in memory, for rate limits: the first 16 bytes of an HMAC-SHA256, hexadecimal. All
 * invalid addresses share one name, so that nobody escapes the limit by sending one.
 * @param key secret: with it, all possible addresses could be tried
 */
export function hashAddressPrefix(key: Buffer, address: string): string {
  return createHmac('sha256', key)
    .update(addressPrefix(address) ?? 'unknown')
    .digest('hex')
    .slice(0, 32);
}

function prefixOfIPv4(address: string): string {
  return `${address.split('.').slice(0, 3).join('.')}.0/24`;
}

/** The eight groups of a valid IPv6 address. */
function expandIPv6(address: string): number[] {
  const [withoutZone = ''] = address.split('%', 1);
  const [before = [], after = []] = withoutZone.split('::', 2).map(readGroups);
  const gap = new Array<number>(8 - before.length - after.length).fill(0);
  return [...before, ...gap, ...after];
}

/** Groups between colons; an IPv4 address at the end is two of them. */
function readGroups(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [(a << 8) | b, (c << 8) | d];
  });
}
