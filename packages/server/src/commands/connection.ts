/**
 * Which server a command calls, and as whom: said on the command line, else in the
 * environment, else the demo that `trellis serve` made here. The demo's token is never sent to another server.
 */
import type { Command } from 'commander';
import { type Environment, publicOrigin } from '../config/config.ts';
import { demoFilePath, readDemoFile } from '../demo/demo-file.ts';
import { type CommandContext, type CommonOptions, readConfig, UsageError } from './command-line.ts';

/** A server and the right to call it. */
export interface Connection {
  /** Origin, without `/v1`. */
  readonly baseUrl: string;
  readonly token: string;
}

/** What a command that calls a server may be told of it. */
export interface ConnectionOptions extends CommonOptions {
  readonly url?: string;
  readonly token?: string;
}

/** Gives a command the options that say which server it calls, and as whom. */
export function addConnectionOptions(command: Command): Command {
  return command
    .option('--url <address>', 'address of the server (TRELLIS_URL, else that of demo.json)')
    .option('--token <token>', 'bearer token (TRELLIS_TOKEN, else that of demo.json)');
}

/** The connection that was chosen by these options, or elsewhere. @throws UsageError that says what to give */
export function openConnection(context: CommandContext, options: ConnectionOptions): Connection {
  return resolveConnection({
    url: options.url,
    token: options.token,
    environment: context.environment,
    dataDir: readConfig(context, options).dataDir,
  });
}

/**
 * Where the server of this installation is, for what is only shown: as configured, else as `demo.json` says, else the address that
 * `trellis serve` uses by default.
 */
export function readServerOrigin(context: CommandContext, options: CommonOptions): string {
  const config = readConfig(context, options);
  return publicOrigin(config) ?? readDemoFile(config.dataDir)?.baseUrl ?? `http://localhost:${config.port}`;
}

export interface ConnectionSources {
  /** `--url` and `--token`. */
  readonly url: string | undefined;
  readonly token: string | undefined;
  /** Has `TRELLIS_URL` and `TRELLIS_TOKEN`. */
  readonly environment: Environment;
  /** Where `demo.json` is. */
  readonly dataDir: string;
}

/** @throws UsageError that says what to give */
export function resolveConnection({ url, token, environment, dataDir }: ConnectionSources): Connection {
  const demo = readDemoFile(dataDir);
  const address = url || environment.TRELLIS_URL || environment.TRELLIS_BASE_URL || demo?.baseUrl;
  if (!address) {
    throw new UsageError(
      `No server is named. Give --url or TRELLIS_URL, or start one with "trellis serve --demo" (it writes ${demoFilePath(dataDir)}).`,
    );
  }
  const baseUrl = readOrigin(address);
  const demoToken = demo !== null && readOrigin(demo.baseUrl) === baseUrl ? demo.token : undefined;
  const chosen = token || environment.TRELLIS_TOKEN || demoToken;
  if (!chosen) {
    throw new UsageError(
      `No token for ${baseUrl}. Give --token or TRELLIS_TOKEN; "trellis token create" makes one.`,
    );
  }
  return { baseUrl, token: chosen };
}

/** Origin of an address that may end in `/v1`. */
function readOrigin(address: string): string {
  const url = URL.parse(address.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || !/^\/(v1\/?)?$/.test(url.pathname)) {
    throw new UsageError(
      `"${address}" is not the address of a server, such as https://cms.example.com or http://localhost:3000/v1.`,
    );
  }
  return url.origin;
}
