/**
 * A real S3 server for tests: the object gateway of Ceph, on a cluster of one monitor and one store in memory, on 127.0.0.1.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { CreateBucketCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import type { S3Location } from '@trellis/server/adapters/s3/s3-client.ts';
import { killChild } from './children.ts';
import { architecture, type DebianPrograms, findDebianPrograms, findProgram } from './debian.ts';
import { findFreePort } from './free-port.ts';
import { until } from './until.ts';

const execute = promisify(execFile);
const accessKey = { id: 'TRIALKEY', secret: 'trial-secret' };

/** The programs, or why they are missing. */
export function findCeph(): Promise<DebianPrograms> {
  return findDebianPrograms(
    ['ceph', 'ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'monmaptool'],
    ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'],
  );
}

/** A cluster with one bucket. */
export class Ceph {
  readonly location: S3Location & { readonly accessKey: typeof accessKey };
  private readonly folder: string;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly configuration: string;
  private readonly client: S3Client;
  private readonly running: ChildProcess[] = [];

  private constructor(folder: string, environment: NodeJS.ProcessEnv, port: number) {
    this.folder = folder;
    this.environment = environment;
    this.configuration = join(folder, 'ceph.conf');
    const endpoint = `http://127.0.0.1:${port}`;
    this.location = { endpoint, region: 'default', bucket: 'knowledge', accessKey, forcePathStyle: true };
    this.client = new S3Client({
      endpoint,
      region: 'default',
      forcePathStyle: true,
      credentials: { accessKeyId: accessKey.id, secretAccessKey: accessKey.secret },
    });
  }

  /** Starts the cluster and creates the bucket. */
  static async start(environment: NodeJS.ProcessEnv): Promise<Ceph> {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-ceph-'));
    const ceph = new Ceph(folder, environment, await findFreePort());
    try {
      await ceph.startCluster();
      await ceph.startGateway();
      return ceph;
    } catch (error) {
      await ceph.stop();
      throw error;
    }
  }

  /** Keys of all objects. */
  async keys(): Promise<string[]> {
    const { bucket: Bucket } = this.location;
    const { Contents = [] } = await this.client.send(new ListObjectsV2Command({ Bucket }));
    return Contents.map(({ Key = '' }) => Key);
  }

  /** Kills all programs and removes the data. */
  async stop(): Promise<void> {
    this.client.destroy();
    for (const child of this.running) await killChild(child);
    await rm(this.folder, { recursive: true, force: true });
  }

  private async startCluster(): Promise<void> {
    const { folder } = this;
    const cluster = randomUUID();
    const monitor = `[v2:127.0.0.1:${await findFreePort()}]`;
    writeFileSync(this.configuration, configurationOf(folder, cluster, monitor, this.environment));
    for (const name of ['mon', 'osd', 'rgw']) mkdirSync(join(folder, name));
    const map = join(folder, 'monmap');
    await this.call('monmaptool', '--create', '--addv', 'a', monitor, '--fsid', cluster, map);
    await this.call('ceph-mon', '--mkfs', '-i', 'a', '--monmap', map);
    this.run('ceph-mon', '-f', '-i', 'a');
    const store = randomUUID();
    // Waits for the monitor.
    await this.call('ceph', 'osd', 'new', store);
    await this.call('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', store);
    this.run('ceph-osd', '-f', '-i', '0');
  }

  private async startGateway(): Promise<void> {
    const { endpoint, bucket: Bucket } = this.location;
    const user = ['--uid', 'trial', '--display-name', 'trial', '--access-key', accessKey.id];
    await this.call('radosgw-admin', 'user', 'create', ...user, '--secret-key', accessKey.secret);
    const frontend = `beast endpoint=${new URL(endpoint).host}`;
    this.run('radosgw', '-f', '-n', 'client.rgw', '--rgw-frontends', frontend);
    await until('the gateway listens', async () => {
      this.checkRunning();
      return fetch(endpoint).then(
        ({ ok }) => ok,
        () => false,
      );
    });
    await this.client.send(new CreateBucketCommand({ Bucket }));
  }

  private checkRunning(): void {
    const ended = this.running.find(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null);
    if (ended === undefined) return;
    const said = readFileSync(join(this.folder, 'ceph.log'), 'utf8').slice(-2_000);
    throw new Error(`${ended.spawnfile} has ended: ${said}`);
  }

  private async call(program: string, ...words: string[]): Promise<void> {
    await execute(program, ['-c', this.configuration, ...words], { env: this.environment, timeout: 180_000 });
  }

  private run(program: string, ...words: string[]): void {
    const child = spawn(program, ['-c', this.configuration, ...words], {
      env: this.environment,
      stdio: 'ignore',
    });
    this.running.push(child);
  }
}

function configurationOf(
  folder: string,
  cluster: string,
  monitor: string,
  environment: NodeJS.ProcessEnv,
): string {
  const libraries = join(
    dirname(dirname(findProgram('ceph-osd', environment.PATH) ?? '/usr/bin/x')),
    'lib',
    architecture,
  );
  return `[global]
    fsid = ${cluster}
    mon host = ${monitor}
    auth cluster required = none
    auth service required = none
    auth client required = none
    # The gateway would require an encrypted connection, which needs keys.
    ms mon client mode = crc
    public addr = 127.0.0.1
    run dir = ${folder}
    admin socket = ${folder}/$name.$pid.asok
    log file = ${folder}/ceph.log
    mon data = ${folder}/mon
    osd data = ${folder}/osd
    rgw data = ${folder}/rgw
    osd objectstore = memstore
    osd crush chooseleaf type = 0
    osd pool default size = 1
    osd pool default min size = 1
    osd pool default pg num = 4
    osd pool default pg autoscale mode = off
    mon allow pool size one = true
    osd class dir = ${libraries}/rados-classes
    erasure code dir = ${libraries}/ceph/erasure-code
    plugin dir = ${libraries}/ceph
`;
}
