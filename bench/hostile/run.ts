/**
 * Measures the latencies of one tenant alone and beside a hostile tenant, on a real server process, in turns of one
 * run.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import { makeDataDirectory } from '../../test/support/folders.ts';
import { createMember, createOrganization, createToken } from '../../test/support/identities.ts';
import { type ServingProgram, settingsOf, startServing } from '../../test/support/program.ts';
import { send, type Target } from './client.ts';
import { type Costs, costsPerSecond, readCosts } from './costs.ts';
import { accentedText, plainText } from './ingredients.ts';
import type { HostileCounts, HostileLoad, SteadyLoad, SteadyResult } from './load.ts';
import { percentile } from './load.ts';

export interface HostileRunOptions {
  /** Sets of ingredients, each measured in a separate turn. */
  readonly turns: readonly (readonly string[])[];
  readonly seconds: number;
  /** Requests a second of the other tenant. */
  readonly rate: number;
  /** Called before each turn. */
  readonly note: (text: string) => void;
}

/** A turn of the other tenant. */
export interface SteadyTurn {
  /** Of all requests together, in ms. */
  readonly p50: number;
  readonly p99: number;
  readonly requests: number;
  readonly refusals: Readonly<Record<string, number>>;
  readonly byKind: Readonly<Record<string, { readonly p50: number; readonly p99: number }>>;
}

/** What ingredients do to the other tenant. */
export interface HostileTurn {
  readonly ingredients: readonly string[];
  /** The other tenant alone, right before and right after: the machine may be busier at one time than at another. */
  readonly alone: SteadyTurn;
  readonly beside: SteadyTurn;
  readonly hostile: HostileCounts;
  /** p99 beside the hostile tenant divided by p99 alone. */
  readonly ratio: number;
  /** What the server and its database used beside the hostile tenant, in ms of processor time for each second. */
  readonly costs: Costs;
  /** The same of the other tenant alone, right before. */
  readonly costsAlone: Costs;
}

export interface HostileReport {
  readonly turns: readonly HostileTurn[];
  /** Largest resident memory of the server's process, in MB. */
  readonly peakMegabytes: number;
}

/** What a load of the other tenant brought, and what the server and its database used meanwhile. */
interface MeasuredResult {
  readonly result: SteadyResult;
  readonly costs: Costs;
}

/** Runs everything, and leaves nothing behind. */
export async function runHostileTenant(options: HostileRunOptions): Promise<HostileReport> {
  const opened = new AsyncDisposableStack();
  try {
    const database = opened.adopt(await createTestDatabase({ poolSize: 2 }), (it) => it.drop());
    const directory = opened.adopt(await makeDataDirectory('hostile'), (it) =>
      rm(it, { recursive: true, force: true }),
    );
    const program = opened.adopt(
      await startServing(['--port', '0', '--data-dir', directory], {
        ...settingsOf(database),
        TRELLIS_LOG_LEVEL: 'fatal',
        // Sign-ins of the hostile generator come from many networks.
        TRELLIS_TRUSTED_PROXIES: '127.0.0.1',
      }),
      async (it) => void (await it.end('SIGTERM')),
    );
    options.note('creating records');
    const steadyTarget = await createTenant(database, program, 'steady');
    const hostileTarget = await createTenant(database, program, 'hostile');
    const steadyArticles = await createArticles(steadyTarget, 200, 'Lettuce', plainText(2_000));
    const hostileArticles = [
      ...(await createArticles(hostileTarget, 600, 'The garden', plainText(2_000))),
      ...(await createArticles(hostileTarget, 30, 'Façade', accentedText(65_000))),
      ...(await createArticles(hostileTarget, 30, 'The whole', plainText(500_000))),
    ];
    const generator = opened.adopt(startGenerator('./steady-tenant.ts'), stopGenerator);
    const steady = async (seconds: number): Promise<MeasuredResult> => {
      const began = performance.now();
      const before = readCosts(program.pid, database.name);
      const result = await ask<SteadyResult>(generator, {
        target: steadyTarget,
        articles: steadyArticles,
        rate: options.rate,
        seconds,
      } satisfies SteadyLoad);
      const after = readCosts(program.pid, database.name);
      return { result, costs: costsPerSecond(before, after, performance.now() - began) };
    };
    const beside = async (names: readonly string[]) => {
      const hostile = opened.adopt(startGenerator('./hostile-tenant.ts'), stopGenerator);
      const { seconds } = options;
      const counts = ask<HostileCounts>(hostile, {
        target: hostileTarget,
        ingredients: names,
        articles: hostileArticles,
        // It begins a little earlier and ends a little later than the one that is measured.
        seconds: seconds + 2,
      } satisfies HostileLoad);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const measured = await steady(seconds);
      return { measured, counts: await counts };
    };

    options.note('warming up');
    await steady(3);
    const turns: HostileTurn[] = [];
    let before = await steady(options.seconds / 2);
    for (const names of options.turns) {
      options.note(names.join(', '));
      const { measured, counts } = await beside(names);
      await waitUntilResponding(steadyTarget);
      const after = await steady(options.seconds / 2);
      turns.push(judgeTurn(names, [before, after], measured, counts));
      before = after;
    }
    return {
      turns,
      peakMegabytes: await peakMemory(program.pid),
    };
  } finally {
    await opened.disposeAsync();
  }
}

async function createTenant(
  { worker }: TestDatabase,
  program: ServingProgram,
  name: string,
): Promise<Target> {
  const organization = await createOrganization(worker, name);
  const member = await createMember(worker, organization, 'OWNER');
  const { token } = await createToken(worker, organization, member);
  const target = { url: program.url, token, site: '' };
  await waitUntilResponding(target);
  const body = JSON.stringify({ name, key: name });
  const { status, text } = await send(target, new Agent(), { method: 'POST', path: '/v1/sites', body });
  if (status !== 201) throw new Error(`a site got ${status}: ${text}`);
  return { ...target, site: JSON.parse(text).id };
}

/** Creates articles through the API, four at a time; returns their ids. */
async function createArticles(target: Target, count: number, title: string, text: string): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const ids: string[] = [];
  const create = async (number: number) => {
    const body = JSON.stringify({ versionData: { title: `${title} ${number}`, body: text } });
    const path = `/v1/sites/${target.site}/articles`;
    for (let tries = 1; ; tries += 1) {
      const response = await send(target, agent, { method: 'POST', path, body });
      if (response.status === 201) return ids.push(JSON.parse(response.text).id);
      // An overloaded server refuses requests, and clients retry.
      if (response.status !== 503 || tries === 50)
        throw new Error(`an article got ${response.status}: ${response.text}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const numbers = Array.from({ length: count }, (_, number) => number).values();
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (const number of numbers) await create(number);
    }),
  );
  agent.destroy();
  return ids;
}

/** Waits until the effects of a turn are over: until ten requests in a row get quick responses. */
async function waitUntilResponding(target: Target): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const deadline = performance.now() + 120_000;
  for (let quick = 0; quick < 10; ) {
    if (performance.now() > deadline) throw new Error('the server did not recover within two minutes');
    const began = performance.now();
    const { status } = await send(target, agent, { method: 'GET', path: '/v1/sites' });
    quick = status === 200 && performance.now() - began < 50 ? quick + 1 : 0;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  agent.destroy();
}

function startGenerator(file: string): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...process.env, NODE_ENV: 'production' },
  });
}

async function stopGenerator(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Sends a load and waits for what the generator has seen. @throws Error when it ends before */
async function ask<T>(child: ChildProcess, load: HostileLoad | SteadyLoad): Promise<T> {
  const listening = new AbortController();
  const { signal } = listening;
  child.send(load);
  try {
    return await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message as T),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`a load generator ended (${code})`);
      }),
    ]);
  } finally {
    listening.abort();
  }
}

function judgeTurn(
  ingredients: readonly string[],
  besides: readonly [MeasuredResult, MeasuredResult],
  { result, costs }: MeasuredResult,
  hostile: HostileCounts,
): HostileTurn {
  const alone = summarize(besides.map((one) => one.result));
  const beside = summarize([result]);
  const ratio = beside.p99 / alone.p99;
  return { ingredients, alone, beside, hostile, ratio, costs, costsAlone: besides[0].costs };
}

function summarize(results: readonly SteadyResult[]): SteadyTurn {
  const byKind: Record<string, number[]> = {};
  const refusals: Record<string, number> = {};
  for (const result of results) {
    for (const [kind, times] of Object.entries(result.milliseconds)) {
      byKind[kind] = [...(byKind[kind] ?? []), ...times];
    }
    for (const [what, count] of Object.entries(result.refusals)) {
      refusals[what] = (refusals[what] ?? 0) + count;
    }
  }
  const all = Object.values(byKind).flat();
  const figures = (times: readonly number[]) => ({
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
  });
  return {
    ...figures(all),
    requests: all.length,
    refusals,
    byKind: Object.fromEntries(Object.entries(byKind).map(([kind, times]) => [kind, figures(times)])),
  };
}

/** From the process's status in Linux. */
async function peakMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) / 1_024;
}
