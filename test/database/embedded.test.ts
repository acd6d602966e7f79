/**
 * The embedded PostgreSQL on a user's machine: it survives kills of the program and of the server, stale files, a port in
 * use, a second start, and running as root in a private folder.
 */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EmbeddedDatabase,
  readRunningEmbedded,
  startEmbedded,
} from '@trellis/embedded-postgres/embedded.ts';
import { replaySymlinks } from '@trellis/embedded-postgres/installation.ts';
import { isRunning, processExists, readProcessStart } from '@trellis/embedded-postgres/processes.ts';
import { readState, writeState } from '@trellis/embedded-postgres/state.ts';
import pg from 'pg';
import { killAtEnd, killOwners, makeFolder, removeFolders, runOwner } from '../support/embedded-owners.ts';
import { until } from '../support/until.ts';

const isRoot = process.getuid?.() === 0;
const databases: EmbeddedDatabase[] = [];

after(async () => {
  killOwners();
  await Promise.all(databases.map((database) => database.stop('immediate')));
  removeFolders();
});

async function start(dataDirectory: string, lines: string[] = []): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDirectory, log: (line) => lines.push(line) });
  databases.push(database);
  return database;
}

async function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const ownerThatStays = (dataDirectory: string) => `
  const database = await embedded.startEmbedded({ dataDirectory: ${JSON.stringify(dataDirectory)}, log: () => {} });
  console.log(database.pid);
  setInterval(() => {}, 1000);`;

describe('start and stop', { timeout: 600_000 }, () => {
  test('a fresh start makes a durable cluster, a restart finds port, password and data again', async () => {
    const dataDirectory = join(makeFolder(), 'data');
    const first = await start(dataDirectory);
    assert.equal(first.version, 18);
    const [facts] = await ask(
      first.adminUrl(),
      `SELECT current_setting('server_encoding') AS encoding, current_setting('data_checksums') AS checksums,
        current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
        current_setting('listen_addresses') AS addresses, current_setting('unix_socket_directories') AS sockets,
        current_setting('TimeZone') AS zone, current_setting('password_encryption') AS passwords,
        (SELECT datlocprovider::text || ' ' || datlocale FROM pg_database WHERE datname = 'template1') AS locale,
        (SELECT string_agg(DISTINCT auth_method, ',') FROM pg_hba_file_rules) AS authentication,
        lower('ÜBER') AS lower`,
    );
    assert.deepEqual(facts, {
      encoding: 'UTF8',
      checksums: 'on',
      fsync: 'on',
      commit: 'on',
      addresses: '127.0.0.1',
      sockets: '',
      zone: 'UTC',
      passwords: 'scram-sha-256',
      locale: 'b C.UTF-8',
      authentication: 'scram-sha-256',
      lower: 'über',
    });
    assert.equal(statSync(join(dataDirectory, 'postgres.json')).mode & 0o777, 0o600);
    await ask(first.adminUrl(), `CREATE DATABASE "odd name"`);
    await ask(first.adminUrl('odd name'), 'CREATE TABLE kept AS SELECT 42 AS value');
    assert.equal((await readRunningEmbedded(dataDirectory))?.adminUrl('x'), first.adminUrl('x'));
    await first.stop();
    assert.equal(processExists(first.pid), false);
    assert.equal(await readRunningEmbedded(dataDirectory), null);

    const second = await start(dataDirectory);
    assert.equal(second.adminUrl(), first.adminUrl());
    assert.deepEqual(await ask(second.adminUrl('odd name'), 'SELECT value FROM kept'), [{ value: 42 }]);
    await second.stop('immediate');
  });

  test('settings are passed on, and the required extensions are available', async () => {
    const database = await startEmbedded({
      dataDirectory: makeFolder(),
      log: () => undefined,
      settings: { work_mem: '5MB', listen_addresses: '*' },
    });
    databases.push(database);
    const rows = await ask(database.adminUrl(), 'SHOW work_mem');
    assert.deepEqual(rows, [{ work_mem: '5MB' }]);
    assert.deepEqual(await ask(database.adminUrl(), 'SHOW listen_addresses'), [
      { listen_addresses: '127.0.0.1' },
    ]);
    for (const name of ['pg_trgm', 'btree_gin', 'unaccent', 'citext', 'pgcrypto']) {
      await ask(database.adminUrl(), `CREATE EXTENSION ${name}`);
    }
    await database.stop();
  });

  test('looking for a running server starts and creates nothing', async () => {
    const folder = makeFolder();
    assert.equal(await readRunningEmbedded(join(folder, 'none')), null);
    assert.deepEqual(readdirSync(folder), []);
  });

  test('a process that ends without stopping the server ends the server as well', async () => {
    const { firstLine, ended } = await runOwner(
      ownerThatStays(makeFolder()).replace('setInterval(() => {}, 1000)', 'process.exit(0)'),
    );
    await ended;
    const pid = Number(firstLine);
    assert.ok(pid > 1);
    await until('server gone', () => readProcessStart(pid) === null);
  });

  test('another port is chosen when the port is in use', async () => {
    const dataDirectory = makeFolder();
    const first = await start(dataDirectory);
    await first.stop();
    const squatter = createServer().listen(first.port, '127.0.0.1');
    await new Promise((resolve) => squatter.once('listening', resolve));
    try {
      const second = await start(dataDirectory);
      assert.notEqual(second.port, first.port);
      assert.equal(readState(dataDirectory)?.port, second.port);
      await ask(second.adminUrl(), 'SELECT 1');
      await second.stop();
    } finally {
      squatter.close();
    }
  });

  test('a lost cluster, a lost password or a wrong version is an error, not a fresh start', async () => {
    const dataDirectory = makeFolder();
    await (await start(dataDirectory)).stop();
    const state = readState(dataDirectory);
    assert.ok(state);
    rmSync(join(dataDirectory, 'postgres.json'));
    await assert.rejects(start(dataDirectory), /its password is missing/);
    writeState(dataDirectory, state);
    writeFileSync(join(dataDirectory, 'postgres', 'PG_VERSION'), '17\n');
    await assert.rejects(start(dataDirectory), /created by PostgreSQL 17/);
    rmSync(join(dataDirectory, 'postgres'), { recursive: true });
    await assert.rejects(start(dataDirectory), /is gone. Restore it/);
  });
});

describe('after a crash', { timeout: 600_000 }, () => {
  test('a server that outlived its owner is adopted, supervised and stopped', async () => {
    const dataDirectory = makeFolder();
    const { child, firstLine, ended } = await runOwner(ownerThatStays(dataDirectory));
    child.kill('SIGKILL');
    await ended;
    const orphan = Number(firstLine);
    assert.notEqual(readProcessStart(orphan), null);

    const database = await start(dataDirectory);
    assert.equal(database.pid, orphan);
    database.kill();
    const back = await until('restart', async () => {
      const rows = await ask<{ one: number }>(database.adminUrl(), 'SELECT 1 AS one').catch(() => []);
      return database.pid !== orphan && rows.length === 1;
    });
    assert.equal(back, true);
    await database.stop();
    assert.equal(readProcessStart(database.pid), null);
    assert.equal(await readRunningEmbedded(dataDirectory), null);
  });

  test('an adopted server is stopped as well as a child', async () => {
    const dataDirectory = makeFolder();
    const { child, firstLine, ended } = await runOwner(ownerThatStays(dataDirectory));
    child.kill('SIGKILL');
    await ended;
    const database = await start(dataDirectory);
    assert.equal(database.pid, Number(firstLine));
    await database.stop();
    assert.equal(readProcessStart(database.pid), null);
  });

  test('a server that does not respond is replaced', async () => {
    const dataDirectory = makeFolder();
    const { child, firstLine, ended } = await runOwner(ownerThatStays(dataDirectory));
    child.kill('SIGKILL');
    await ended;
    const state = readState(dataDirectory);
    assert.ok(state);
    // With a wrong password, the connection check fails quickly.
    const client = new pg.Client({
      connectionString: (await readRunningEmbedded(dataDirectory))?.adminUrl(),
    });
    client.on('error', () => undefined);
    await client.connect();
    await client.query(`ALTER ROLE postgres PASSWORD 'other'`);
    const lines: string[] = [];
    await assert.rejects(start(dataDirectory, lines), /password authentication failed/);
    await client.end().catch(() => undefined);
    assert.ok(
      lines.some((line) =>
        line.includes(`stopping the PostgreSQL that was still running (process ${firstLine})`),
      ),
    );
    assert.equal(readProcessStart(Number(firstLine)), null);
    assert.equal(await readRunningEmbedded(dataDirectory), null);
  });

  test('a server that dies is restarted on the same port every time, and loses nothing', async () => {
    const database = await start(makeFolder());
    await ask(database.adminUrl(), 'CREATE TABLE counted (n int)');
    const port = database.port;
    for (let n = 0; n < 3; n++) {
      const before = database.pid;
      await ask(database.adminUrl(), `INSERT INTO counted VALUES (${n})`);
      database.kill();
      await until('restart', async () => {
        const rows = await ask(database.adminUrl(), 'SELECT n FROM counted').catch(() => []);
        return database.pid !== before && rows.length === n + 1;
      });
      assert.equal(database.port, port);
    }
    await database.stop();
  });

  test('stopping during a restart leaves nothing behind', async () => {
    const dataDirectory = makeFolder();
    const database = await start(dataDirectory);
    const before = database.pid;
    database.kill();
    await until('death', () => readProcessStart(before) === null);
    await database.stop();
    await sleep(300); // longer than the delay before the first restart
    assert.equal(await readRunningEmbedded(dataDirectory), null);
    assert.equal(readProcessStart(database.pid), null);
  });

  test('a stale pid file with the id of another process does not prevent the start', async () => {
    const dataDirectory = makeFolder();
    const database = await start(dataDirectory);
    const pidFile = join(dataDirectory, 'postgres', 'postmaster.pid');
    const contents = readFileSync(pidFile, 'utf8');
    await database.stop();
    // The other process runs as the server's user: PostgreSQL ignores processes that it may not send signals to.
    const { uid, gid } = statSync(join(dataDirectory, 'postgres'));
    const unrelated = spawn('sleep', ['600'], { stdio: 'ignore', ...(isRoot ? { uid, gid } : {}) });
    killAtEnd(unrelated);
    writeFileSync(pidFile, contents.replace(/^\d+/, String(unrelated.pid)));
    const lines: string[] = [];
    const again = await start(dataDirectory, lines);
    assert.ok(lines.some((line) => line.includes('removed a stale postmaster.pid')));
    assert.equal(unrelated.exitCode, null);
    assert.equal(unrelated.signalCode, null);
    await again.stop();
    unrelated.kill();
  });

  test('a server of another data directory is not mistaken for ours', async () => {
    const [ours, theirs] = [makeFolder(), makeFolder()];
    await (await start(ours)).stop();
    const other = await start(theirs);
    writeFileSync(
      join(ours, 'postgres', 'postmaster.pid'),
      readFileSync(join(theirs, 'postgres', 'postmaster.pid'), 'utf8'),
    );
    assert.equal(await readRunningEmbedded(ours), null);
    const database = await start(ours);
    assert.notEqual(database.pid, other.pid);
    await ask(other.adminUrl(), 'SELECT 1');
    await Promise.all([database.stop(), other.stop()]);
  });
});

test('a process is the same only if its id and start time are', () => {
  const started = readProcessStart(process.pid);
  assert.ok(started);
  assert.equal(isRunning({ pid: process.pid, started }), true);
  assert.equal(isRunning({ pid: process.pid, started: `${started}0` }), false);
});

test('missing library links are created once', () => {
  const folder = makeFolder();
  mkdirSync(join(folder, 'native', 'lib'), { recursive: true });
  writeFileSync(join(folder, 'native', 'lib', 'libpq.so.5.18'), 'library');
  const links = ['libpq.so', 'libpq.so.5'].map((name) => ({
    source: 'native/lib/libpq.so.5.18',
    target: `native/lib/${name}`,
  }));
  writeFileSync(join(folder, 'native', 'pg-symlinks.json'), JSON.stringify(links));
  for (const lost of [['libpq.so', 'libpq.so.5'], ['libpq.so.5'], []]) {
    for (const name of lost) rmSync(join(folder, 'native', 'lib', name), { force: true });
    replaySymlinks(folder);
    for (const name of ['libpq.so', 'libpq.so.5']) {
      assert.equal(readlinkSync(join(folder, 'native', 'lib', name)), 'libpq.so.5.18');
      assert.equal(readFileSync(join(folder, 'native', 'lib', name), 'utf8'), 'library');
    }
  }
  replaySymlinks(makeFolder()); // a package without links has no list
});

describe('as root', {
  timeout: 600_000,
  skip: isRoot ? false : 'PostgreSQL runs as another user only for root',
}, () => {
  test('the server runs as an unprivileged user who owns the cluster', async () => {
    const dataDirectory = makeFolder();
    const database = await start(dataDirectory);
    const { uid } = statSync(`/proc/${database.pid}`);
    assert.notEqual(uid, 0);
    assert.equal(statSync(join(dataDirectory, 'postgres')).uid, uid);
    await database.stop();
  });

  test('for a private folder the cluster is created elsewhere, and the folder stays private', async () => {
    const folder = makeFolder();
    chmodSync(folder, 0o700);
    const dataDirectory = join(folder, 'data');
    const first = await start(dataDirectory);
    const cluster = readState(dataDirectory)?.cluster ?? '';
    try {
      assert.match(cluster, /^\/var\/lib\/trellis\/[0-9a-f]{12}\/postgres$/);
      assert.equal(statSync(folder).mode & 0o777, 0o700);
      assert.equal(existsSync(join(dataDirectory, 'postgres')), false);
      await ask(first.adminUrl(), 'CREATE TABLE kept ()');
      await first.stop();
      const second = await start(dataDirectory);
      await ask(second.adminUrl(), 'SELECT FROM kept');

      // A copy must not use the original's cluster.
      const copy = makeFolder();
      writeFileSync(join(copy, 'postgres.json'), readFileSync(join(dataDirectory, 'postgres.json')));
      await assert.rejects(start(copy), /is a copy of/);
      await second.stop();

      // After the data directory is deleted, a new cluster is created.
      rmSync(dataDirectory, { recursive: true });
      const third = await start(dataDirectory);
      await assert.rejects(ask(third.adminUrl(), 'SELECT FROM kept'), /does not exist/);
      await third.stop();
    } finally {
      rmSync(dirname(cluster), { recursive: true, force: true });
    }
  });
});
