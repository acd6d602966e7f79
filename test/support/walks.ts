/**
 * Walks: what somebody wants, done in a browser from what the screen shows alone, with the whole program behind it. A walk begins at
 * Home in an organization of its own, and never opens an address that a person would not have.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { prepareConsole } from '@trellis/server/console/prepare.ts';
import { indexJobsStep } from '@trellis/server/kernel/identity/index-jobs.ts';
import type { Browser, BrowserContextOptions, Request } from 'playwright-core';
import { launchChromium } from './chromium.ts';
import { type ConsolePage, openPageIn, signInByLink } from './console.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createMember, createOrganization, createToken, type TestOrganization } from './identities.ts';
import { callServed, type ServingProgram, settingsOf, startServing } from './program.ts';
import type { Json } from './server.ts';
import { until } from './until.ts';

/** What a walk may ask of the server at most, from Home to its end. */
export interface WalkBounds {
  /** Requests to `/v1` and `/auth`. */
  readonly requests: number;
  /** Bytes of their responses, compressed as they were sent. */
  readonly bytes: number;
}

/** What the steps of a walk get: a page at Home, and the API, to see whether what was wanted is stored. */
export interface Walk extends Pick<ConsolePage, 'page' | 'context' | 'checkAccessibility'> {
  readonly organization: TestOrganization;
  readonly database: TestDatabase;
  readonly ownerId: string;
  readonly origin: string;
  /** Calls the API with all rights of the owner; the response must be a success. */
  call(method: string, path: string, body?: object): Promise<Json>;
  /** Waits until a resource of the API is as the person wanted it. */
  untilStored(what: string, path: string, isWanted: (stored: Json) => boolean): Promise<unknown>;
  /** A page of somebody else who is not signed in. */
  openSignedOut(options?: BrowserContextOptions): Promise<ConsolePage>;
}

/** What a walk has before its page. */
export type Given = Pick<Walk, 'call' | 'database' | 'organization'>;

export interface WalkOptions {
  readonly bounds: WalkBounds;
  readonly browser?: BrowserContextOptions;
  /** What is there before the person comes: the walk is not about it. */
  readonly given?: (walk: Given) => Promise<unknown>;
}

export type DefineWalk = (
  task: string,
  options: WalkOptions,
  steps: (walk: Walk) => Promise<unknown>,
) => void;

/** Starts the program for the walks of a file, and stops it after them. @param environment more settings of the program */
export function defineWalks(environment: Readonly<Record<string, string>> = {}): DefineWalk {
  let folder: string;
  let database: TestDatabase;
  let program: ServingProgram;
  let browser: Browser;
  let number = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'trellis-walks-'));
    await (await prepareConsole(folder)).done;
    database = await createTestDatabase();
    program = await startServing(['--port', '0', '--data-dir', folder], {
      ...settingsOf(database),
      TRELLIS_LOG_LEVEL: 'warn',
      ...environment,
    });
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    await program.end('SIGTERM');
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  return (task, { bounds, given, browser: options }, steps) => {
    test(task, async (context) => {
      number += 1;
      const organization = await createOrganization(database.worker, `walk-${number}`);
      const owner = await createMember(database.worker, organization, 'OWNER');
      const { token } = await createToken(database.worker, organization, owner);
      const origin = `http://localhost:${new URL(program.url).port}`;
      const call: Walk['call'] = (method, path, body) => callServed(program.url, token, method, path, body);
      await given?.({ call, database, organization });
      const opened = await openPageIn(browser, origin, options);
      const all = [opened];
      const { page, checkFaults, checkAccessibility } = opened;
      await signInByLink(opened, database, owner, origin);
      // What Home itself reads is no part of the walk.
      await page.locator('#content h1').waitFor();
      await until(
        'Home has been read',
        async () => (await page.locator('#content [aria-busy="true"]').count()) === 0,
      );
      const traffic = watchTraffic(opened);
      const walk: Walk = {
        page,
        context: opened.context,
        checkAccessibility,
        organization,
        database,
        ownerId: owner,
        origin,
        call,
        untilStored: (what, path, isWanted) => until(what, async () => isWanted(await call('GET', path))),
        async openSignedOut(others) {
          const other = await openPageIn(browser, origin, others);
          all.push(other);
          return other;
        },
      };
      try {
        await steps(walk);
      } catch (error) {
        // What the screens showed says more than the name of what was waited for.
        for (const shown of all) context.diagnostic(await shown.page.locator('body').ariaSnapshot());
        throw error;
      }
      const { requests, bytes } = await traffic();
      await checkAccessibility(task);
      checkFaults();
      context.diagnostic(`${requests} requests, ${bytes} bytes`);
      assert.ok(requests <= bounds.requests, `${requests} requests`);
      assert.ok(bytes <= bounds.bytes, `${bytes} bytes`);
      await opened.context.close();
    });
  };
}

/** Somebody else in the organization, who is found by name once the indexer has seen them. */
export async function addColleague(
  { database, organization, call }: Given,
  role: Parameters<typeof createMember>[2],
  name: string,
): Promise<void> {
  const { worker } = database;
  const id = await createMember(worker, organization, role);
  await worker.run('UPDATE trellis.users SET name = $2 WHERE id = $1', [id, name]);
  const { statement, values } = indexJobsStep(organization.id, 'member', [id]);
  await worker.run(statement.text, values);
  const path = `/v1/members?${new URLSearchParams({ search: name })}`;
  await until('the colleague is found', async () => (await call('GET', path)).items.length > 0);
}

/** Counts what a page asks of the API from now on. */
function watchTraffic({ page }: Pick<ConsolePage, 'page'>): () => Promise<WalkBounds> {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (/^\/(?:v1|auth)\//.test(new URL(request.url()).pathname)) requests.push(request);
  });
  return async () => {
    const counted = requests.splice(0);
    const sizes = counted.map(async (request) => {
      // A stream has no end, and a request that the page has given up has no response.
      if (request.url().includes('/v1/events/stream') || (await request.response()) === null) return 0;
      return (await request.sizes()).responseBodySize;
    });
    return {
      requests: counted.length,
      bytes: (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0),
    };
  };
}
