/** `trellis database distribute|move|isolate|disable|enable`: a database on the servers of a Citus cluster. See docs/distribution.md. */
import type { Command } from 'commander';
import { disableServer, enableServer, type ServerUse } from '../database/distribution/disabled-servers.ts';
import { distribute } from '../database/distribution/distribute.ts';
import { isolateOrganization, moveOrganization, type Placement } from '../database/distribution/placement.ts';
import { splitHosts } from '../database/hosts.ts';
import {
  addSubcommand,
  type CommandContext,
  type CommonOptions,
  printRecord,
  UsageError,
} from './command-line.ts';

interface CoordinatorOptions extends CommonOptions {
  readonly adminUrl: string;
  readonly database: string;
}

/** Adds the subcommands to `trellis database`. */
export function addDistributionCommands(context: CommandContext, parent: Command): void {
  const log = (line: string) => context.stderr(`${line}\n`);
  const add = (name: string, description: string, example: string) =>
    addSubcommand(
      parent,
      name,
      description,
      `trellis database ${example} --admin-url postgres://postgres:secret@coordinator.internal/postgres`,
    )
      .requiredOption('--admin-url <url>', 'URL of a superuser of the coordinator')
      .option('--database <name>', 'name of the database', 'trellis');
  add(
    'distribute',
    'distribute the tables over the servers of a Citus cluster, or those that are new since',
    'distribute',
  ).action(async (_options: unknown, command: Command) => {
    const options = readOptions<CoordinatorOptions>(command);
    const { distributed, copied, rows } = await distribute(options.adminUrl, options.database, log);
    printRecord(context, options, { distributed: distributed.length, copied: copied.length, rows });
  });
  add(
    'move <organization>',
    'move an organization, with all others in its shard, to another server of the cluster; they can be written meanwhile',
    'move acme --to db2.internal:5432',
  )
    .requiredOption('--to <server>', 'host and port, as "trellis database status" shows them')
    .action(async (key: string, _options: unknown, command: Command) => {
      const options = readOptions<CoordinatorOptions & { readonly to: string }>(command);
      printPlacement(context, options, await moveOrganization({ ...options, key, log }, options.to));
    });
  add(
    'isolate <organization>',
    'give an organization a shard of its own, so that it can be moved without others',
    'isolate acme',
  )
    .option(
      '--to <server>',
      'where all organizations of the shard come, and are written meanwhile; without it, they stay on their server, and their writes wait or fail',
    )
    .action(async (key: string, _options: unknown, command: Command) => {
      const options = readOptions<CoordinatorOptions & { readonly to?: string }>(command);
      printPlacement(context, options, await isolateOrganization({ ...options, key, log }, options.to));
    });
  const serverCommand = (
    name: string,
    description: string,
    change: (options: CoordinatorOptions & { server: string; log: typeof log }) => Promise<ServerUse>,
  ) =>
    add(`${name} <server>`, description, `${name} db2.internal:5432`).action(
      async (server: string, _options: unknown, command: Command) => {
        const options = readOptions<CoordinatorOptions>(command);
        const { isEnabled, rows, isChanged } = await change({ ...options, server, log });
        printRecord(context, options, { server, enabled: isEnabled, rows, changed: isChanged });
      },
    );
  serverCommand(
    'disable',
    'do without a server that is away, so that users and organizations can be changed; what it has alone stays unavailable',
    disableServer,
  );
  serverCommand(
    'enable',
    'use a disabled server again, after it got the users and organizations that have changed',
    enableServer,
  );
}

function printPlacement(
  context: CommandContext,
  options: CommonOptions,
  { organization, server, shard, isAlone, isChanged }: Placement,
): void {
  printRecord(context, options, { organization, server, shard, ownShard: isAlone, changed: isChanged });
}

function readOptions<T extends CoordinatorOptions>(command: Command): T {
  const options = command.optsWithGlobals<T>();
  checkAdminUrl(options.adminUrl);
  return options;
}

/** @throws UsageError */
export function checkAdminUrl(adminUrl: string): void {
  const hosts = splitHosts(adminUrl).map((url) => URL.parse(url));
  if (hosts.some((url) => url === null || !/^postgres(ql)?:$/.test(url.protocol))) {
    throw new UsageError('--admin-url must have the form postgres://user:password@host:5432/postgres.');
  }
}
