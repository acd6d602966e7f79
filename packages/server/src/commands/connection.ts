/**
 * Which server a command calls, and with which token: from the command line, else from the environment, else from the demo
 * that `trellis serve` made here. The demo's token is never sent to another server.
 */
import type { Command } from 'commander';
import { demoFilePath, readDemoFile } from '../features/demo/demo-file.ts';
import { type Environment, publicOrigin } from '../kernel/config/config.ts';
import { type CommandContext, type CommonOptions, readConfig, UsageError } from './command-line.ts';

/** A server and a token. */
export interface Connection {
  /** Origin, without `/v1`. */
  readonly baseUrl: string;
  readonly token: string;
}

/** The connection options of a command. */
export interface ConnectionOptions extends CommonOptions {
  readonly url?: string;
  readonly token?: string;
}

/** Adds the options for the server and the token to a command. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option('--url <address>', 'address of the server (TRELLIS_URL; default: the one in demo.json)')
    .option('--token <token>', 'bearer token (TRELLIS_TOKEN; default: the one in demo.json)');
}

/** The connection that results from the options and defaults. @throws UsageError that says what to set */
export function openConnection(context: CommandContext, options: ConnectionOptions): Connection {
  return resolveConnection({
    url: options.url,
    token: options.token,
    environment: context.environment,
    dataDir: readConfig(context, options).dataDir,
  });
}

/**
 * The address of this installation's server, for display only: as configured, otherwise from `demo.json`, otherwise the
 * default of `trellis serve`.
 */
export function readServerOrigin(context: CommandContext, options: CommonOptions): string {
  const config = readConfig(context, options);
  return publicOrigin(config) ?? readDemoFile(config.dataDir)?.baseUrl ?? `http://localhost:${config.port}`;
}

export interface ConnectionSources {
  /** `--url` and `--token`. */
  readonly url: string | undefined;
  readonly token: string | undefined;
  /** Contains `TRELLIS_URL` and `TRELLIS_TOKEN`. */
  readonly environment: Environment;
  /** The folder of `demo.json`. */
  readonly dataDir: string;
}

/** @throws UsageError that says what to set */
export function resolveConnection({ url, token, environment, dataDir }: ConnectionSources): Connection {
  const demo = readDemoFile(dataDir);
  const address = url || environment.TRELLIS_URL || environment.TRELLIS_BASE_URL || demo?.baseUrl;
  if (!address) {
    throw new UsageError(
      `No server is given. Use --url or TRELLIS_URL, or start one with "trellis serve --demo" (it writes ${demoFilePath(dataDir)}).`,
    );
  }
  const baseUrl = readOrigin(address);
  const demoToken = demo !== null && readOrigin(demo.baseUrl) === baseUrl ? demo.token : undefined;
  const chosen = token || environment.TRELLIS_TOKEN || demoToken;
  if (!chosen) {
    throw new UsageError(
      `No token for ${baseUrl}. Use --token or TRELLIS_TOKEN; "trellis token create" creates one.`,
    );
  }
  return { baseUrl, token: chosen };
}

/** The origin of an address that may end in `/v1`. */
function readOrigin(address: string): string {
  const url = URL.parse(address.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || !/^\/(v1\/?)?$/.test(url.pathname)) {
    throw new UsageError(
      `"${address}" is not the address of a server, such as https://cms.example.com or http://localhost:3000/v1.`,
    );
  }
  return url.origin;
}
