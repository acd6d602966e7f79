/**
 * The address ranges that are not the public Internet: IANA's registries of special-purpose addresses (RFC 6890), and the
 * metadata services of clouds.
 *
 * https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry
 */
import { BlockList, isIP, isIPv4 } from 'node:net';

/** A set of address ranges. */
export class AddressRanges {
  // Two lists: a BlockList matches an IPv4 address as IPv6 too, and so in the range ::/3.
  private readonly four = new BlockList();
  private readonly six = new BlockList();

  /** @throws RangeError for a text that is not a range, such as `10.0.0.0/8` or `fd12::/16` */
  constructor(ranges: readonly string[]) {
    for (const range of ranges) {
      const [network = '', prefix = '', more] = range.split('/');
      const family = isIP(network);
      const length = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
      if (family === 0 || more !== undefined || !(length <= (family === 4 ? 32 : 128))) {
        throw new RangeError(`"${range}" is not an address range such as 10.0.0.0/8 or fd12:3456::/32.`);
      }
      if (family === 4) this.four.addSubnet(network, length, 'ipv4');
      else this.six.addSubnet(network, length, 'ipv6');
    }
  }

  has(address: string): boolean {
    return isIPv4(address) ? this.four.check(address, 'ipv4') : this.six.check(address, 'ipv6');
  }
}

/** Never called, even when the operator lists them: metadata services with credentials, and non-unicast addresses. */
export const forbidden = new AddressRanges([
  // Metadata: nearly all clouds, ECS and EKS, Alibaba, Oracle, Azure's host, and over IPv6 Amazon, Google, Oracle.
  '169.254.169.254/32',
  '169.254.170.2/32',
  '169.254.170.23/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
  'fd00:ec2::254/128',
  'fd00:ec2::23/128',
  'fd20:ce::254/128',
  'fd00:c1::a9fe:a9fe/128',
  // "This host", multicast, broadcast.
  '0.0.0.0/8',
  '224.0.0.0/4',
  '255.255.255.255/32',
  '::/128',
  'ff00::/8',
]);

/** Not public. Of IPv6 only 2000::/3 is public, with exceptions. */
export const special = new AddressRanges([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '240.0.0.0/4',
  '::/3',
  '2001::/23',
  '2001:db8::/32',
  '3fff::/20',
  '4000::/2',
  '8000::/1',
]);

/** Obsolete ways of embedding an IPv4 address in IPv6: compatible, SIIT, Teredo, 6to4. */
const obsolete = new AddressRanges(['::ffff:0:0:0/96', '2001::/32', '2002::/16', '64:ff9b:1::/48']);
const compatible = new AddressRanges(['::/96']);
const native = new AddressRanges(['::/127']);
const mapped = new AddressRanges(['::ffff:0:0/96']);
/** RFC 6052 (NAT64): how an IPv6-only network reaches IPv4-only hosts. */
const translated = new AddressRanges(['64:ff9b::/96']);

/** The IPv4 address in an IPv6 address, and whether it is reached through a translator (NAT64). */
export interface Embedded {
  readonly address: string;
  readonly translated: boolean;
}

/** The IPv4 address in an IPv6 address; null for none; 'refused' for an obsolete form. */
export function embeddedIpv4(address: string): Embedded | null | 'refused' {
  if (isIPv4(address)) return null;
  if (mapped.has(address)) return { address: lastBytes(address), translated: false };
  if (translated.has(address)) return { address: lastBytes(address), translated: true };
  if (obsolete.has(address)) return 'refused';
  return compatible.has(address) && !native.has(address) ? 'refused' : null;
}

/** The last 32 bits of an IPv6 address as IPv4. */
function lastBytes(address: string): string {
  // The URL parser normalizes every notation to hexadecimal groups.
  const { hostname } = new URL(`http://[${address}]`);
  const groups = hostname.slice(1, -1).split(':').slice(-2);
  const [high = 0, low = 0] = groups.map((group) => (group === '' ? 0 : Number.parseInt(group, 16)));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}
