/** The choice among the hosts of a database URL, and the failure that is reported when none can be used. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseFailure, ReadOnlyHostError } from '@trellis/server/kernel/database/connection.ts';
import {
  DatabaseHosts,
  replaceDatabase,
  replaceLogin,
  splitHosts,
} from '@trellis/server/kernel/database/hosts.ts';

const url = 'postgres://api:p%40ss@a.internal:5432,[::1]:5433,c/trellis?sslmode=require';

test('a URL is split into one for each host', () => {
  assert.deepEqual(splitHosts(url), [
    'postgres://api:p%40ss@a.internal:5432/trellis?sslmode=require',
    'postgres://api:p%40ss@[::1]:5433/trellis?sslmode=require',
    'postgres://api:p%40ss@c/trellis?sslmode=require',
  ]);
  assert.deepEqual(splitHosts('postgres:///trellis'), ['postgres:///trellis']);
});

test('login and database are replaced for all hosts', () => {
  assert.equal(
    replaceLogin(url, 'owner', 'a/b', 'other'),
    'postgres://owner:a%2Fb@a.internal:5432,[::1]:5433,c/other?sslmode=require',
  );
  assert.equal(replaceDatabase('postgresql://admin@a,b', 'other'), 'postgresql://admin@a,b/other');
});

test('connections go to the first host until it fails, and then to the one that takes writes', () => {
  const [a = '', b = '', c = ''] = splitHosts(url);
  const hosts = new DatabaseHosts(url);
  assert.equal(hosts.next(), a);
  // Several connections that fail together count as one failure.
  hosts.leave(a);
  hosts.leave(a);
  assert.equal(hosts.next(), b);
  assert.equal(hosts.settle(b), false);
  assert.equal(hosts.settle(b), false);
  assert.ok(!hosts.isReplaced(b));
  hosts.leave(b);
  assert.equal(hosts.next(), c);
  // A host with a short connection problem keeps its connections.
  assert.ok(!hosts.isReplaced(b));
  hosts.leave(c);
  assert.equal(hosts.next(), a);
  assert.equal(hosts.settle(a), true);
  assert.ok(hosts.isReplaced(b));
});

test('reported first: the error of the primary, then that no host takes writes, then that none can be reached', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const starting = Object.assign(new Error('starting up'), { code: '57P03' });
  const full = Object.assign(new Error('too many'), { code: '53300' });
  const standby = new ReadOnlyHostError();
  assert.equal(chooseFailure([refused, standby, full]), full);
  assert.equal(chooseFailure([refused, standby]), standby);
  assert.equal(chooseFailure([refused, starting]), refused);
});
