/** The lock of a data directory: one process owns it at a time, and kill -9 of the owner frees it. */

import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import {
  acquireDataDirectoryLock,
  DataDirectoryInUseError,
  readDataDirectoryHolder,
} from '@trellis/embedded-postgres/embedded.ts';
import { killOwners, makeFolder, removeFolders, runOwner } from '../support/embedded-owners.ts';

after(() => {
  killOwners();
  removeFolders();
});

describe('the lock of a data directory', { timeout: 600_000 }, () => {
  test('cannot be acquired twice, not even by its owner, until it is released', () => {
    const dataDirectory = join(makeFolder(), 'new', 'data');
    assert.equal(readDataDirectoryHolder(dataDirectory), null);
    const lock = acquireDataDirectoryLock(dataDirectory);
    assert.equal(readDataDirectoryHolder(dataDirectory)?.pid, process.pid);
    assert.throws(
      () => acquireDataDirectoryLock(dataDirectory),
      (error) =>
        error instanceof DataDirectoryInUseError &&
        error.message.includes(String(process.pid)) &&
        error.message.includes(dataDirectory),
    );
    lock.release();
    const next = acquireDataDirectoryLock(dataDirectory);
    lock.release(); // a second release must not release the next owner's lock
    assert.throws(() => acquireDataDirectoryLock(dataDirectory), DataDirectoryInUseError);
    next.release();
    assert.equal(readDataDirectoryHolder(dataDirectory), null);
  });

  test('cannot be acquired by another process until the owner is killed', async () => {
    const dataDirectory = makeFolder();
    const { child, ended } = await runOwner(`
      embedded.acquireDataDirectoryLock(${JSON.stringify(dataDirectory)});
      console.log('held');
      setInterval(() => {}, 1000);`);
    assert.throws(() => acquireDataDirectoryLock(dataDirectory), new RegExp(`process ${child.pid}\\b`));
    child.kill('SIGKILL');
    await ended;
    acquireDataDirectoryLock(dataDirectory).release();
  });

  test('is not kept by another process with the id of its dead owner', () => {
    const dataDirectory = makeFolder();
    acquireDataDirectoryLock(dataDirectory);
    const folder = join(dataDirectory, 'trellis.lock');
    const entry = join(folder, readdirSync(folder)[0] ?? '');
    writeFileSync(entry, JSON.stringify({ pid: process.pid, started: 'another boot/1' }));
    acquireDataDirectoryLock(dataDirectory).release();
  });

  test('is acquired by exactly one of many processes that find it abandoned', async () => {
    const dataDirectory = makeFolder();
    const { ended } = await runOwner(`embedded.acquireDataDirectoryLock(${JSON.stringify(dataDirectory)});`);
    await ended;
    const startAt = Date.now() + 1500; // so that they try to acquire it at the same moment
    const starters = await Promise.all(
      Array.from({ length: 5 }, () =>
        runOwner(`
          while (Date.now() < ${startAt});
          let outcome = 'held';
          try {
            embedded.acquireDataDirectoryLock(${JSON.stringify(dataDirectory)});
          } catch (error) {
            outcome = error.name;
          }
          console.log(outcome);
          setInterval(() => {}, 1000);`),
      ),
    );
    const outcomes = starters.map(({ firstLine }) => firstLine).sort();
    assert.deepEqual(outcomes, [...Array<string>(4).fill('DataDirectoryInUseError'), 'held']);
    for (const { child } of starters) child.kill('SIGKILL');
  });
});
