/**
 * Why: the life of a serving process, from top to bottom: configuration, database, checks, listening, the demo, and
 * the orderly end. What it says on standard output is for people, or with --json one line per event for programs;
 * logs go to standard error.
 */
import { once } from 'node:events';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import packageFile from '../../../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import { roles } from '../config/roles.ts';
import { type DemoFile, demoFilePath } from '../demo/demo-file.ts';
import { describeDemo } from '../demo/describe.ts';
import { type Installation, openForServing } from '../node/installation.ts';
import { createLog } from '../node/log.ts';
import { type Addresses, type Node, openMetrics, startNode } from '../node/node.ts';
import { prepareDemo } from '../node/prepare-demo.ts';
import { startWorkers } from '../node/workers/supervisor.ts';
import {
  type CommandContext,
  type CommonOptions,
  createCommand,
  readConfig,
  UsageError,
} from './command-line.ts';

interface ServeOptions extends CommonOptions {
  readonly demo?: boolean;
  readonly roles?: string;
  readonly workers?: string;
}

/** `trellis serve`. */
export function serveCommand(context: CommandContext): Command {
  return createCommand('serve', 'Serve all interfaces.', 'trellis serve --port 4000 --data-dir /srv/trellis')
    .option('--demo', 'on an empty installation, create a demo organization with some content')
    .option('--roles <names>', `what this node does: ${roles.join(',')} unless given (TRELLIS_ROLES)`)
    .option('--workers <number>', 'processes that serve on the port; 1 unless given (TRELLIS_WORKERS)')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ServeOptions>();
      const config = readConfig(context, options);
      checkRoles(config, options.demo === true);
      await serve(context, options, config);
    });
}

/** What needs the interfaces is refused on a node that does not serve them. */
function checkRoles({ roles, workers }: Config, demo: boolean): void {
  if (roles.includes('api')) return;
  if (demo) throw new UsageError('The demo is made through the API: --demo needs the role api.');
  if (workers > 1)
    throw new UsageError('Several processes are for serving requests: --workers needs the role api.');
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
    // First, so that a port that is taken is known before anything else is started.
    const metrics = opened.adopt(await openMetrics(config, log), (it) => it?.close());
    const installation = opened.adopt(
      await openForServing(config, (line) => log.info({ component: 'postgres' }, line)),
      (it) => it.close(),
    );
    const node = opened.adopt(await start(config, installation, log), (it) => it.close());
    const { addresses } = node;
    metrics?.serve(() => node.renderMetrics());
    const demo = options.demo
      ? await prepareDemo(config, installation, addresses, callUrlOf(config, node.port ?? config.port))
      : null;
    const metricsUrl = metrics?.url ?? null;
    const detail = { url: addresses.baseUrl, sandboxUrl: addresses.sandboxUrl, metricsUrl, pid: process.pid };
    say('ready', detail, readyText(addresses, demo, config, metricsUrl));
    const signal = await stop;
    say('stopping', { signal }, `\n${signal}: finishing what is in flight …\n`);
  } finally {
    await opened.disposeAsync();
  }
  say('stopped', {}, 'Stopped.\n');
}

/** Starts what serves: this process itself, or several below it. */
function start(config: Config, installation: Installation, log: Logger): Promise<Node> {
  if (config.workers > 1) return startWorkers({ config, installation, log });
  return startNode({ config, installation, roles: config.roles, port: config.port, log });
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

/** As this process reaches itself. */
function callUrlOf(config: Config, port: number): string {
  const everywhere = config.host === '0.0.0.0' || config.host === '::';
  const host = everywhere ? 'localhost' : config.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function readyText(
  addresses: Addresses,
  demo: DemoFile | null,
  config: Config,
  metricsUrl: string | null,
): string {
  if (demo !== null) return `${describeDemo(demo, demoFilePath(config.dataDir))}\nCtrl-C stops it.\n`;
  if (!config.roles.includes('api')) {
    return `\n  At work  ${config.roles.join(', ')}\n  Probes   ${addresses.baseUrl}/readyz\n${metricsLine(metricsUrl)}\nCtrl-C stops it.\n`;
  }
  return [
    '',
    `  API      ${addresses.baseUrl}/v1`,
    `  Sandbox  ${addresses.sandboxUrl}`,
    `  Docs     ${addresses.baseUrl}/docs`,
    metricsLine(metricsUrl),
    'Ctrl-C stops it.',
    '',
  ].join('\n');
}

function metricsLine(url: string | null): string {
  return url === null ? '' : `  Metrics  ${url}\n`;
}
