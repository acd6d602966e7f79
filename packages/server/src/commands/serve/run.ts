/**
 * The life of a serving process, from configuration, database and checks through listening and the demo to
 * the orderly shutdown. Standard output is for people, or with --json one line per event for programs; logs go to standard
 * error.
 */
import { once } from 'node:events';
import type { Logger } from 'pino';
import packageFile from '../../../../../package.json' with { type: 'json' };
import { type ConsoleBuild, prepareConsole } from '../../console/prepare.ts';
import { type DemoFile, demoFilePath } from '../../features/demo/demo-file.ts';
import { describeDemo } from '../../features/demo/describe.ts';
import type { Config } from '../../kernel/config/config.ts';
import { type Installation, openForServing } from '../../node/installation.ts';
import { createLog } from '../../node/log.ts';
import { type Addresses, type Node, openMetrics, startNode } from '../../node/node.ts';
import { makeDemoLink, prepareDemo } from '../../node/prepare-demo.ts';
import { startWorkers } from '../../node/workers/supervisor.ts';
import type { CommandContext, CommonOptions } from '../command-line.ts';

/** Options of `trellis serve`. */
export interface ServeOptions extends CommonOptions {
  readonly demo?: boolean;
  readonly roles?: string;
  readonly workers?: string;
}

/**
 * Exit code of a server that met an error nobody expects, as in sysexits.h: `scripts/launcher.mjs` starts it again. What an operator
 * has to correct ends with another one.
 */
const crashed = 70;
/** The message of a server to `scripts/launcher.mjs`. */
const serving = 'serving';

/** Serves until a signal; resolves when everything it started has ended. */
export async function serve(context: CommandContext, options: ServeOptions, config: Config): Promise<void> {
  const log = createLog(config);
  const say = (event: string, detail: object, text: string) =>
    context.stdout(options.json ? `${JSON.stringify({ event, ...detail })}\n` : text);
  const stop = listenForSignals(log);
  process.once('uncaughtException', (error) => {
    log.fatal({ err: error }, 'The server ends with an unexpected error');
    process.exit(crashed);
  });
  /** Tells a person who waits for the demo what takes the seconds. */
  const tell = (text: string) => {
    if (options.demo && !options.json) context.stdout(`${text} …\n`);
  };
  say('starting', { pid: process.pid, version: packageFile.version }, '');
  tell('Starting the database');

  // Closed in reverse order, also when opening a later one fails.
  const opened = new AsyncDisposableStack();
  try {
    // First, so that a port in use is reported before anything else is started.
    const metrics = opened.adopt(await openMetrics(config, log), (it) => it?.close());
    // Beside the start of PostgreSQL: both take seconds.
    const consoleBuild = opened.adopt(await startConsole(config, log), (it) => it?.stop());
    const installation = opened.adopt(
      await openForServing(config, (line) => log.info({ component: 'postgres' }, line)),
      (it) => it.close(),
    );
    tell('Starting the server');
    const node = opened.adopt(await start(config, installation, consoleBuild, log), (it) => it.close());
    const { addresses } = node;
    metrics?.serve(() => node.renderMetrics());
    const demo = options.demo
      ? await prepareDemo(config, installation, addresses, callUrlOf(config, node.port ?? config.port), () =>
          tell('Creating the content of the demo'),
        )
      : null;
    const link = demo === null ? null : await makeDemoLink(config, installation, demo);
    const metricsUrl = metrics?.url ?? null;
    const detail = { url: addresses.baseUrl, sandboxUrl: addresses.sandboxUrl, metricsUrl, pid: process.pid };
    say('ready', detail, readyText({ addresses, demo, link, config, metricsUrl }));
    const signal = await stop;
    say('stopping', { signal }, `\n${signal}: finishing current requests …\n`);
  } finally {
    await opened.disposeAsync();
  }
  say('stopped', {}, 'Stopped.\n');
}

/** Begins to prepare the console; null on a node that serves none. A console that cannot be built stops nothing else. */
async function startConsole({ console, roles, dataDir }: Config, log: Logger): Promise<ConsoleBuild | null> {
  if (!console || !roles.includes('api')) return null;
  const build = await prepareConsole(dataDir);
  build.done.catch((error: unknown) => log.error({ err: error }, 'The console is not served'));
  return build;
}

/** Starts the server in this process, or several worker processes. */
function start(
  config: Config,
  installation: Installation,
  consoleBuild: ConsoleBuild | null,
  log: Logger,
): Promise<Node> {
  const place = consoleBuild === null ? null : { folder: consoleBuild.folder };
  const common = { config, installation, console: place, log };
  if (config.workers > 1) return startWorkers(common);
  return startNode({ ...common, roles: config.roles, port: config.port });
}

/** Resolves with the first stop signal, or when the launcher has ended; a further signal ends the process immediately. */
async function listenForSignals(log: Logger): Promise<string> {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  const signal = await Promise.race([
    ...signals.map(async (name) => {
      await once(process, name);
      return name;
    }),
    endOfLauncher(),
  ]);
  for (const name of signals) {
    process.on(name, () => {
      log.warn({ signal: name }, 'Stopped immediately by a second signal');
      process.exit(1);
    });
  }
  return signal;
}

/** Tells the launcher that this is a server, and resolves when the launcher has ended: this process would no longer be restarted or stopped. */
async function endOfLauncher(): Promise<string> {
  if (!process.connected) return new Promise(() => undefined);
  const ended = once(process, 'disconnect');
  process.channel?.unref();
  process.send?.(serving, undefined, undefined, () => undefined);
  await ended;
  return 'the end of the launcher';
}

/** The address under which this process can call itself. */
function callUrlOf(config: Config, port: number): string {
  const everywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = everywhere ? 'localhost' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The description of a server that is ready. */
interface Ready {
  readonly addresses: Addresses;
  readonly demo: DemoFile | null;
  /** Signs the person of the demo in; null: there is none. */
  readonly link: string | null;
  readonly config: Config;
  readonly metricsUrl: string | null;
}

function readyText({ addresses, demo, link, config, metricsUrl }: Ready): string {
  if (demo !== null)
    return `${describeDemo(demo, demoFilePath(config.dataDir), link)}\nPress Ctrl-C to stop.\n`;
  if (!config.roles.includes('api')) {
    return `\n  Roles    ${config.roles.join(', ')}\n  Probes   ${addresses.baseUrl}/readyz\n${metricsLine(metricsUrl)}\nPress Ctrl-C to stop.\n`;
  }
  return [
    '',
    `  API      ${addresses.baseUrl}/v1`,
    `  Sandbox  ${addresses.sandboxUrl}`,
    `  Docs     ${addresses.baseUrl}/docs`,
    ...(config.console ? [`  Console  ${addresses.baseUrl}/console`] : []),
    metricsLine(metricsUrl),
    'Press Ctrl-C to stop.',
    '',
  ].join('\n');
}

function metricsLine(url: string | null): string {
  return url === null ? '' : `  Metrics  ${url}\n`;
}
