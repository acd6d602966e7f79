/**
 * Why: the life of a serving process, from top to bottom: configuration, database, checks, listening, the demo, and
 * the orderly end. What it says on standard output is for people, or with --json one line per event for programs;
 * logs go to standard error.
 */
import { once } from 'node:events';
import type { Command } from 'commander';
import { type Logger, pino } from 'pino';
import packageFile from '../package.json' with { type: 'json' };
import { type Background, startBackground } from './background.ts';
import { type CommandContext, type CommonOptions, createCommand, readConfig } from './cli/command-line.ts';
import { type Config, publicOrigin } from './config.ts';
import type { Database } from './database/database.ts';
import { describeProblem } from './database/failures.ts';
import { pendingMigrations } from './database/migrate.ts';
import { checkServingRole, UnsafeRoleError } from './database/role-check.ts';
import { type DemoFile, demoFilePath, readDemoFile } from './demo/demo-file.ts';
import { describeDemo } from './demo/describe.ts';
import { isWithoutOrganizations, makeDemoKey, seedDemo } from './demo/seed.ts';
import { openFileStore } from './file-store.ts';
import { buildServer, type Server } from './http/server.ts';
import { AdministrationError } from './identity/administration/checks.ts';
import {
  type Installation,
  InstallationError,
  openDatabase,
  openForServing,
  writePrivateFile,
} from './installation.ts';
import type { ObjectStore } from './objects/object-store.ts';
import { createWebhookSettings, type WebhookSettings } from './webhooks/settings.ts';

interface ServeOptions extends CommonOptions {
  readonly demo?: boolean;
}

/** `trellis serve`. */
export function serveCommand(context: CommandContext): Command {
  return createCommand('serve', 'Serve all interfaces.', 'trellis serve --port 4000 --data-dir /srv/trellis')
    .option('--demo', 'on an empty installation, create a demo organization with some content')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ServeOptions>();
      await serve(context, options, readConfig(context, options));
    });
}

/** Serves until a signal; resolves when everything it started has ended. */
async function serve(context: CommandContext, options: ServeOptions, config: Config): Promise<void> {
  const log = createLog(config);
  const say = (event: string, detail: object, text: string) =>
    context.stdout(options.json ? `${JSON.stringify({ event, ...detail })}\n` : text);
  const stop = listenForSignals(log);
  say('starting', { pid: process.pid, version: packageFile.version }, '');

  // Closed in the reverse order, also when one of the later ones cannot be opened.
  const opened = new AsyncDisposableStack();
  try {
    const installation = opened.adopt(
      await openForServing(config, (line) => log.info({ component: 'postgres' }, line)),
      (it) => it.close(),
    );
    const database = opened.adopt(await openServingDatabase(config, installation, log), (it) => it.close());
    const files = opened.adopt(await openFileStore(config), (it) => it.close());
    const webhooks = createWebhookSettings(
      installation.cursorKey,
      config.webhookAllowPrivate?.split(',') ?? [],
    );
    const background = opened.adopt(
      startBackground(config, installation, database, files, webhooks, log),
      (it) => it.stop(),
    );
    const server = opened.adopt(
      await startServer(config, installation, database, files, webhooks, background, log),
      (it) => it.close(),
    );
    const addresses = addressesOf(config, server.port);
    background.deliver(addresses.baseUrl);
    const demo = options.demo
      ? await prepareDemo(config, installation, addresses, callUrlOf(config, server.port))
      : null;
    const detail = { url: addresses.baseUrl, sandboxUrl: addresses.sandboxUrl, pid: process.pid };
    say('ready', detail, readyText(addresses, demo, config));
    const signal = await stop;
    say('stopping', { signal }, `\n${signal}: finishing what is in flight …\n`);
  } finally {
    await opened.disposeAsync();
  }
  say('stopped', {}, 'Stopped.\n');
}

function createLog(config: Config): Logger {
  return pino(
    { level: config.logLevel, base: { pid: process.pid } },
    pino.destination({ dest: 2, sync: false }),
  );
}

/** Resolves with the first signal to stop; a second one ends the process at once. */
async function listenForSignals(log: Logger): Promise<string> {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  const signal = await Promise.race(
    signals.map(async (name) => {
      await once(process, name);
      return name;
    }),
  );
  for (const name of signals) {
    process.on(name, () => {
      log.warn({ signal: name }, 'ended at once by a second signal');
      process.exit(1);
    });
  }
  return signal;
}

/** Opens the pool of the serving role, and refuses one that row-level security does not bind. */
async function openServingDatabase(
  config: Config,
  installation: Installation,
  log: Logger,
): Promise<Database> {
  const { api } = installation.urls;
  if (api === null) throw new InstallationError('Serving needs a database: set TRELLIS_DATABASE_URL.');
  const database = openDatabase(config, api, {
    name: 'trellis api',
    log: (message, detail) => log.warn(detail, message),
  });
  try {
    await checkServingRole(database);
    const pending = await pendingMigrations(database);
    if (pending.length > 0) {
      log.warn({ pending }, 'not ready until "trellis migrate" has applied the missing migrations');
    }
    return database;
  } catch (error) {
    await database.close();
    if (error instanceof UnsafeRoleError) throw error;
    throw new InstallationError(`The database cannot be reached: ${describeProblem(error)}.`);
  }
}

async function startServer(
  config: Config,
  installation: Installation,
  database: Database,
  files: ObjectStore,
  webhooks: WebhookSettings,
  background: Background,
  log: Logger,
): Promise<Pick<Server, 'close'> & { port: number }> {
  const server = await buildServer({
    database,
    objects: files,
    maxContentBytes: config.maxContentBytes,
    cursorKey: installation.cursorKey,
    visitors: {
      key: installation.visitorKey,
      callsPerKey: config.rateLimitPublishableKey,
      callsPerNetwork: config.rateLimitNetwork,
    },
    trustedProxies: config.trustedProxies,
    rateLimits: { perToken: config.rateLimitToken, perOrganization: config.rateLimitOrganization },
    idempotencyRetentionSeconds: config.idempotencyRetentionSeconds,
    origin: publicOrigin(config),
    sandboxUrl: config.sandboxUrl,
    webhooks,
    nudge: background.nudge,
    arrivals: background.arrivals,
    log,
  });
  try {
    const { port } = await server.listen({ host: config.host, port: config.port });
    return { port, close: () => server.close() };
  } catch (error) {
    await server.close();
    throw describeListenFailure(error, config);
  }
}

function describeListenFailure(error: unknown, config: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  const place = `${config.host}:${config.port}`;
  if (code === 'EADDRINUSE') {
    return new InstallationError(
      `Something listens on ${place} already. Choose another port with --port (or PORT); 0 picks a free one.`,
    );
  }
  if (code === 'EACCES')
    return new InstallationError(`This user may not listen on ${place}. Choose a port above 1023.`);
  if (code === 'EADDRNOTAVAIL') return new InstallationError(`This machine has no address ${config.host}.`);
  return error;
}

interface Addresses {
  readonly baseUrl: string;
  readonly sandboxUrl: string;
}

/** As clients see them. */
function addressesOf(config: Config, port: number): Addresses {
  const baseUrl = publicOrigin(config) ?? `http://localhost:${port}`;
  return { baseUrl, sandboxUrl: config.sandboxUrl ?? `${baseUrl}/sandbox` };
}

/** As this process reaches itself. */
function callUrlOf(config: Config, port: number): string {
  const everywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = everywhere ? 'localhost' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The demo of this data directory, made if the installation is empty; null when there is none and none is to be. */
async function prepareDemo(
  config: Config,
  installation: Installation,
  addresses: Addresses,
  callUrl: string,
): Promise<DemoFile | null> {
  const known = readDemoFile(config.dataDir);
  const isCurrent = known?.baseUrl === addresses.baseUrl && known.publishableKey !== undefined;
  if (known !== null && (isCurrent || installation.urls.worker === null)) {
    const current = { ...known, ...addresses };
    if (JSON.stringify(current) !== JSON.stringify(known)) writeDemoFile(config, current);
    return current;
  }
  if (installation.urls.worker === null) return null;
  const worker = openDatabase(config, installation.urls.worker, { poolSize: 1, name: 'trellis demo' });
  try {
    if (known !== null) {
      // The page that tries visitors out has moved, and a publishable key is for one place.
      const moved = { ...known, ...addresses, ...(await renewDemoKey(worker, known, addresses.baseUrl)) };
      writeDemoFile(config, moved);
      return moved;
    }
    if (!(await isWithoutOrganizations(worker))) return null;
    const demo = await seedDemo(worker, addresses, callUrl);
    writeDemoFile(config, demo);
    return demo;
  } finally {
    await worker.close();
  }
}

/** A demo whose organization is gone has no key; that is no reason not to serve. */
async function renewDemoKey(
  worker: Database,
  { siteId }: DemoFile,
  baseUrl: string,
): Promise<Pick<DemoFile, 'publishableKey'>> {
  try {
    return { publishableKey: await makeDemoKey(worker, siteId, baseUrl) };
  } catch (error) {
    if (error instanceof AdministrationError) return {};
    throw error;
  }
}

function writeDemoFile(config: Config, demo: DemoFile): void {
  writePrivateFile(demoFilePath(config.dataDir), `${JSON.stringify(demo, null, 2)}\n`);
}

function readyText(addresses: Addresses, demo: DemoFile | null, config: Config): string {
  if (demo !== null) return `${describeDemo(demo, demoFilePath(config.dataDir))}\nCtrl-C stops it.\n`;
  return [
    '',
    `  API      ${addresses.baseUrl}/v1`,
    `  Sandbox  ${addresses.sandboxUrl}`,
    `  Docs     ${addresses.baseUrl}/docs`,
    '',
    'Ctrl-C stops it.',
    '',
  ].join('\n');
}
