/** `trellis database distribute|move|isolate`: a database on the servers of a Citus cluster. See docs/distribution.md. */
import type { Command } from 'commander';
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
