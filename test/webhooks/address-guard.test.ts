/** The guard of webhook URLs: it allows public addresses over https and the operator's list, in any notation. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  AddressGuard,
  RefusedDestinationError,
  UnresolvedNameError,
} from '@trellis/server/features/webhooks/address-guard.ts';
import { hostileUrls, malformedUrls } from '../support/hostile-urls.ts';

const patience = AbortSignal.timeout(180_000);

/** A guard with a given name resolution. */
function guardOf(allowPrivate: readonly string[] = [], names: Record<string, readonly string[]> = {}) {
  return new AddressGuard({
    allowPrivate,
    lookup: async (name) => {
      const found = names[name];
      if (found === undefined) throw new Error(`ENOTFOUND ${name}`);
      return found;
    },
  });
}

async function addressesOf(guard: AddressGuard, url: string): Promise<string[]> {
  return (await guard.resolve(url, patience)).addresses.map(({ address }) => address);
}

test('addresses that are not public are refused in every notation', async () => {
  const guard = guardOf();
  for (const url of [...hostileUrls, ...malformedUrls]) {
    await assert.rejects(guard.resolve(url, patience), RefusedDestinationError, url);
    assert.equal(typeof (await guard.findFault(url, patience)), 'string', url);
  }
});

test('a name is refused if a URL with any of its addresses would be', async () => {
  const literals = hostileUrls.map((url) => new URL(url).hostname.replace(/[[\]]/g, ''));
  for (const address of literals.filter((host) => !host.includes('localhost'))) {
    for (const addresses of [[address], ['1.1.1.1', address], [address, '2606:4700::1111']]) {
      const guard = guardOf([], { 'hooks.example.com': addresses });
      await assert.rejects(
        guard.resolve('https://hooks.example.com/', patience),
        RefusedDestinationError,
        addresses.join(),
      );
    }
  }
});

test('invalid and link-local results of a resolver are refused', async () => {
  for (const address of ['fe80::1%eth0', '', 'example.com', '1.1.1', '0x7f000001']) {
    const guard = guardOf([], { 'hooks.example.com': [address] });
    await assert.rejects(
      guard.resolve('https://hooks.example.com/', patience),
      RefusedDestinationError,
      address,
    );
  }
});

test('the message does not disclose the address of a name', async () => {
  const guard = guardOf([], { 'db.internal': ['10.1.2.3'] });
  const fault = await guard.findFault('https://db.internal/', patience);
  assert.match(fault ?? '', /^The host name resolves to an address that is not public\. Only the operator/);
  assert.doesNotMatch(fault ?? '', /10\.1/);
});

test('the message names the setting that allows a private address, and not for what is never allowed', async () => {
  const guard = guardOf([], { 'db.internal': ['10.1.2.3'] });
  for (const url of ['https://10.1.2.3/', 'https://[::1]/', 'https://localhost/', 'https://db.internal/'])
    assert.match((await guard.findFault(url, patience)) ?? '', /TRELLIS_WEBHOOK_ALLOW_PRIVATE/, url);
  for (const url of ['https://169.254.169.254/', 'https://[fd00:ec2::254]/', 'https://255.255.255.255/'])
    assert.equal(await guard.findFault(url, patience), 'The address is not public.', url);
});

test('public addresses are returned as they were checked', async () => {
  const guard = guardOf([], { 'hooks.example.com': ['1.1.1.1', '2606:4700:4700::1111'] });
  assert.deepEqual((await guard.resolve('https://hooks.example.com/x?y', patience)).addresses, [
    { address: '1.1.1.1', family: 4 },
    { address: '2606:4700:4700::1111', family: 6 },
  ]);
  for (const url of [
    'https://1.1.1.1/',
    'https://1.1.1.1:443/',
    'https://1.1.1.1:80/',
    'https://1.1.1.1:8443/',
  ])
    assert.deepEqual(await addressesOf(guard, url), ['1.1.1.1'], url);
  assert.deepEqual(await addressesOf(guard, 'https://16843009/'), ['1.1.1.1']);
  assert.deepEqual(await addressesOf(guard, 'https://[2606:4700:4700::1111]/'), ['2606:4700:4700::1111']);
  assert.deepEqual(await addressesOf(guard, 'https://[64:ff9b::1.1.1.1]/'), ['64:ff9b::101:101']);
});

test('addresses next to refused ranges are public', async () => {
  const guard = guardOf();
  const neighbours = [
    '9.255.255.255',
    '11.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
  ];
  for (const address of [...neighbours, '126.255.255.255', '128.0.0.0', '223.255.255.255', '192.167.255.255'])
    assert.deepEqual(await addressesOf(guard, `https://${address}/`), [address]);
});

test("the operator's list opens its ranges, with http and any port, and nothing else", async () => {
  const guard = guardOf(['127.0.0.0/8', '10.1.0.0/16', 'fd12::/16'], {
    'both.internal': ['10.1.0.1', '10.2.0.1'],
    'own.internal': ['10.1.0.1', 'fd12::1'],
    'mixed.internal': ['10.1.0.1', '1.1.1.1'],
  });
  for (const url of [
    'http://127.0.0.1:9/',
    'https://2130706433:22/',
    'http://localhost:1/',
    'http://[::ffff:127.0.0.1]/',
  ])
    assert.equal((await guard.resolve(url, patience)).addresses.length, 1, url);
  assert.deepEqual(await addressesOf(guard, 'http://own.internal/'), ['10.1.0.1', 'fd12::1']);
  assert.deepEqual(await addressesOf(guard, 'https://mixed.internal/'), ['10.1.0.1', '1.1.1.1']);
  for (const url of [
    'http://both.internal/',
    'https://10.2.0.1/',
    'http://mixed.internal/',
    'https://mixed.internal:22/',
    'https://[::127.0.0.1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'http://1.1.1.1/',
  ])
    await assert.rejects(guard.resolve(url, patience), RefusedDestinationError, url);
});

test('metadata, multicast and "this host" are never opened, not even by a list of everything', async () => {
  const guard = guardOf(['0.0.0.0/0', '::/0']);
  for (const url of [
    'https://169.254.169.254/',
    'http://[::ffff:a9fe:a9fe]/',
    'https://[fd00:ec2::254]/',
    'https://100.100.100.200/',
    'https://0.0.0.0/',
    'https://[::]/',
    'https://224.0.0.1/',
    'https://[ff02::1]/',
    'https://255.255.255.255/',
    'https://[64:ff9b::169.254.169.254]/',
  ])
    await assert.rejects(guard.resolve(url, patience), RefusedDestinationError, url);
});

test('a name without an address is accepted when it is entered, and fails when it is called', async () => {
  const guard = guardOf();
  assert.equal(await guard.findFault('https://not-yet.example.com/', patience), null);
  assert.equal(await guard.findFault('http://not-yet.example.com/', patience), 'Must be an https address.');
  await assert.rejects(guard.resolve('https://not-yet.example.com/', patience), UnresolvedNameError);
});

test('an invalid range is reported when the server starts', () => {
  for (const range of [
    '',
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.0/x',
    '10.0.0/8',
    'fd00::/129',
    '10.0.0.0/8/8',
    'a/8',
  ])
    assert.throws(() => guardOf([range]), RangeError, range);
});
