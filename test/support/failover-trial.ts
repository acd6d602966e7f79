/**
 * PostgreSQL with failover for tests: the local trial of `deploy/patroni/trial.sh`, with the configuration that operators get.
 * Every program is a child process of the test, and ends with it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chooseAccount } from '@trellis/embedded-postgres/account.ts';
import pg from 'pg';
import { killChild, listChildren } from './children.ts';
import { type DebianPrograms, findDebianPrograms } from './debian.ts';
import { makeDataDirectory } from './folders.ts';
import { until } from './until.ts';

const script = fileURLToPath(new URL('../../deploy/patroni/trial.sh', import.meta.url));
const superuserPassword = 'trial';
const nodes = ['node1', 'node2', 'node3'] as const;

/** A node with PostgreSQL and its Patroni. */
export type TrialNode = (typeof nodes)[number];
type TrialProgram = TrialNode | 'etcd' | 'haproxy' | 'pgbouncer';
/** Where connections lead. */
export type TrialEntry = 'nodes' | 'haproxy' | 'pgbouncer';

interface Member {
  readonly name: TrialNode;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
  readonly lag?: number;
}

/** The programs, or why they are missing. */
export async function findTrialPrograms(): Promise<DebianPrograms> {
  const packages = ['etcd-server', 'patroni', 'python3-etcd', 'postgresql-15', 'haproxy', 'pgbouncer'];
  return findDebianPrograms(['etcd', 'patroni', 'haproxy', 'pgbouncer'], packages);
}

/** One cluster of three nodes. */
export class FailoverTrial {
  private readonly folder: string;
  private readonly port: number;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly running = new Map<TrialProgram, ChildProcess>();

  private constructor(folder: string, port: number, environment: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.port = port;
    this.environment = environment;
  }

  /** Starts etcd, the nodes and HAProxy, and waits until all nodes replicate. */
  static async start(programs: NodeJS.ProcessEnv): Promise<FailoverTrial> {
    const folder = await makeDataDirectory('failover');
    const port = await findFreeRange();
    const account = await chooseAccount(null);
    const environment = {
      ...programs,
      PORT: String(port),
      PASSWORD: superuserPassword,
      ...(account === undefined ? {} : { RUN_AS: String(account.uid) }),
    };
    const trial = new FailoverTrial(folder, port, environment);
    const written = spawnSync(script, [folder, 'write'], { env: environment, encoding: 'utf8' });
    if (written.status !== 0) throw new Error(written.stderr);
    try {
      for (const name of ['etcd', ...nodes, 'haproxy'] as const) trial.run(name);
      await trial.untilWhole();
      await until('HAProxy has found the primary', () => trial.leadsToPrimary());
    } catch (error) {
      await trial.stop();
      throw error;
    }
    return trial;
  }

  /** A URL of the superuser, by way of HAProxy, which leads to the primary. */
  adminUrl(database = 'postgres'): string {
    return this.over(`postgres://postgres:${superuserPassword}@x/${database}`, 'haproxy');
  }

  /** A URL with the hosts replaced; that of the nodes names all of them, whichever is the primary. */
  over(url: string, entry: TrialEntry): string {
    const ports = {
      nodes: nodes.map((_, index) => this.port + 11 + index),
      haproxy: [this.port + 2],
      pgbouncer: [this.port + 3],
    }[entry];
    return url.replace(/(?<=@)[^/]+/, ports.map((port) => `127.0.0.1:${port}`).join(','));
  }

  /** Starts a program, again after it was killed. */
  run(name: TrialProgram): void {
    const log = openSync(join(this.folder, `${name}.log`), 'a');
    const child = spawn(script, [this.folder, 'run', name], {
      env: this.environment,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.running.set(name, child);
  }

  /** Starts the Patroni of a node again if it was killed. */
  restart(node: TrialNode): void {
    if (!this.running.has(node)) this.run(node);
  }

  /** Kills a program (SIGKILL). PostgreSQL stays when its Patroni is killed. */
  async kill(name: TrialProgram): Promise<void> {
    const child = this.running.get(name);
    this.running.delete(name);
    await killChild(child);
  }

  /** Kills PostgreSQL's main process on a node (SIGKILL); the others of it end by themselves. */
  killPostgres(node: TrialNode): void {
    const pid = this.postgresOf(node);
    if (pid !== null) process.kill(pid, 'SIGKILL');
  }

  /** Stops all processes of PostgreSQL on a node without ending them. Returns what lets them go on. */
  freezePostgres(node: TrialNode): () => void {
    const pid = this.postgresOf(node);
    const all = pid === null ? [] : [pid, ...listChildren(pid, '').map((child) => child.pid)];
    for (const each of all) signal(each, 'SIGSTOP');
    return () => {
      for (const each of all) signal(each, 'SIGCONT');
    };
  }

  /** Asks Patroni to make a standby the primary, as for maintenance. */
  async switchOver(): Promise<void> {
    const [leader, candidate] = [await this.leader(), await this.synchronousStandby()];
    const response = await fetch(`${this.restOf(leader)}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader, candidate }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`the switchover failed: ${response.status} ${text}`);
  }

  /** The node that is the primary, once there is one. */
  leader(): Promise<TrialNode> {
    return until('there is a primary', async () => (await this.members()).find(isLeader)?.name);
  }

  /** The node that has every acknowledged write, once there is one. */
  synchronousStandby(): Promise<TrialNode> {
    return until(
      'there is a synchronous standby',
      async () => (await this.members()).find(({ role }) => role === 'sync_standby')?.name,
    );
  }

  /** Waits until there is a primary with two standbys that follow it. */
  async untilWhole(): Promise<void> {
    await until('the cluster is whole', async () => {
      const members = await this.members();
      const primary = members.find(isLeader);
      return (
        members.length === nodes.length &&
        members.some(({ role }) => role === 'sync_standby') &&
        members.every(
          (member) =>
            /^(running|streaming)$/.test(member.state) &&
            member.timeline === primary?.timeline &&
            (member === primary || member.lag === 0),
        )
      );
    });
  }

  /** Ends everything, and removes the data. */
  async stop(): Promise<void> {
    const remaining = nodes.flatMap((node) => {
      const pid = this.postgresOf(node);
      return pid === null ? [] : [pid, ...listChildren(pid, '').map((child) => child.pid)];
    });
    for (const name of [...this.running.keys()]) await this.kill(name);
    for (const pid of remaining) signal(pid, 'SIGKILL');
    await until('PostgreSQL has ended', () => !remaining.some((pid) => existsSync(`/proc/${pid}`)));
    await rm(this.folder, { recursive: true, force: true });
  }

  private restOf(node: TrialNode): string {
    return `http://127.0.0.1:${this.port + 21 + nodes.indexOf(node)}`;
  }

  /** What Patroni says of all nodes; nothing while none responds. */
  private async members(): Promise<readonly Member[]> {
    for (const node of nodes) {
      try {
        const response = await fetch(`${this.restOf(node)}/cluster`, { signal: AbortSignal.timeout(5_000) });
        if (!response.ok) continue;
        const { members } = (await response.json()) as { members: readonly Member[] };
        return members;
      } catch {
        // This one is not there; another one knows the same.
      }
    }
    return [];
  }

  private async leadsToPrimary(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.adminUrl() });
    try {
      await client.connect();
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  private postgresOf(node: TrialNode): number | null {
    try {
      const [line] = readFileSync(join(this.folder, node, 'data', 'postmaster.pid'), 'utf8').split('\n');
      const pid = Number(line);
      // The file remains when it was killed.
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(this.folder) ? pid : null;
    } catch {
      return null;
    }
  }
}

function isLeader({ role, state }: Member): boolean {
  return role === 'leader' && /^(running|streaming)$/.test(state);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/** The first of 24 ports that nobody listens on, below those that the system gives to clients. */
async function findFreeRange(): Promise<number> {
  for (let first = 20_000 + Math.floor(Math.random() * 400) * 25; ; first += 25) {
    const ports = Array.from({ length: 24 }, (_, offset) => first + offset);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await once(probe.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    probe.close();
  }
}
