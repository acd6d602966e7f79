import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import { describe, test } from 'node:test';
import { addressPrefix, hashAddressPrefix } from '@trellis/server/kernel/lib/network-address.ts';
import fastCheck from 'fast-check';
import { checkProperty } from '../lib/property.ts';

describe('addressPrefix', () => {
  test('is the /24 of IPv4 and the /56 of IPv6, however it is written', () => {
    for (const [address, prefix] of [
      ['192.0.2.255', '192.0.2.0/24'],
      ['0.0.0.0', '0.0.0.0/24'],
      ['::ffff:192.0.2.1', '192.0.2.0/24'],
      ['::FFFF:C000:0201', '192.0.2.0/24'],
      ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.0/24'],
      ['2001:db8:1:2345:6789::', '2001:db8:1:2300::/56'],
      ['2001:0DB8:0001:23FF:ffff:ffff:ffff:ffff', '2001:db8:1:2300::/56'],
      ['2001:db8::1', '2001:db8:0:0::/56'],
      ['2001:db8::', '2001:db8:0:0::/56'],
      ['::1', '0:0:0:0::/56'],
      ['::', '0:0:0:0::/56'],
      ['fe80::1:2%eth0', 'fe80:0:0:0::/56'],
      ['::ffff:c000:201%a:b', '192.0.2.0/24'],
      ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/56'],
      // IPv4-compatible, translated and shifted addresses are not IPv4-mapped ones.
      ['::192.0.2.1', '0:0:0:0::/56'],
      ['::ffff:0:192.0.2.1', '0:0:0:0::/56'],
      ['1::ffff:192.0.2.1', '1:0:0:0::/56'],
    ] as const) {
      assert.equal(addressPrefix(address), prefix, address);
    }
  });

  test('is null for text that is not an address', () => {
    for (const text of [
      ...[
        '',
        'localhost',
        '192.0.2',
        '192.0.2.256',
        '192.0.02.1',
        ' 192.0.2.1',
        '192.0.2.1:80',
        '192.0.2.1/24',
      ],
      ...['[::1]', '::1::', '1:2:3:4:5:6:7', ':::', '2001:db8::g', '3232235777', '0xC0000201', '\u0000'],
    ]) {
      assert.equal(addressPrefix(text), null, text);
    }
  });

  test('removes exactly the host part', (context) => {
    const group = fastCheck.integer({ min: 0, max: 0xffff });
    const write = (groups: readonly number[]) => groups.map((value) => value.toString(16)).join(':');
    checkProperty(
      context,
      fastCheck.property(
        fastCheck.tuple(fastCheck.integer({ min: 1, max: 0xffff }), group, group, group),
        fastCheck.tuple(group, group, group, group),
        fastCheck.integer({ min: 0, max: 0xff }),
        fastCheck.integer({ min: 0, max: 63 }),
        ([a, b, c, d], host, low, bit) => {
          const prefix = addressPrefix(write([a, b, c, d, ...host]));
          assert.equal(prefix, addressPrefix(write([a, b, c, (d & 0xff00) | low, 0, 0, 0, 1])));
          const other = [a, b, c, d];
          const index = Math.min(3, Math.floor(bit / 16));
          other[index] = (other[index] ?? 0) ^ (index === 3 ? 0x100 << (bit % 8) : 1 << (bit % 16));
          if (other[0] !== 0) assert.notEqual(prefix, addressPrefix(write([...other, ...host])));
        },
      ),
    );
  });

  test('exists for every address, and is an address of its network', (context) => {
    checkProperty(
      context,
      fastCheck.property(fastCheck.oneof(fastCheck.ipV4(), fastCheck.ipV6()), (address) => {
        const prefix = addressPrefix(address);
        assert.ok(prefix !== null);
        const network = prefix.replace(/\/\d+$/, '');
        assert.notEqual(isIP(network), 0, prefix);
        assert.equal(addressPrefix(network), prefix);
      }),
    );
  });
});

test('hashAddressPrefix identifies a network under one key without disclosing it', () => {
  const key = Buffer.alloc(32, 1);
  const name = hashAddressPrefix(key, '192.0.2.1');
  assert.match(name, /^[0-9a-f]{32}$/);
  assert.equal(hashAddressPrefix(key, '::ffff:192.0.2.200'), name);
  assert.notEqual(hashAddressPrefix(key, '192.0.3.1'), name);
  assert.notEqual(hashAddressPrefix(Buffer.alloc(32, 2), '192.0.2.1'), name);
  assert.equal(hashAddressPrefix(key, 'not an address'), hashAddressPrefix(key, ''));
});
