/** `trellis client`: the applications that tokens belong to. Disabling one does not affect the others. */

import { clientKinds } from '@trellis/schema/resources/clients.ts';
import type { Command } from 'commander';
import {
  type ClientRecord,
  createBrowserClient,
  createClient,
  listClients,
  setClientOrigins,
  setClientStatus,
} from '../features/access/clients.ts';
import { findSite } from '../features/access/sites.ts';
import {
  addSubcommand,
  asWorker,
  asWorkerAndApi,
  type CommandContext,
  type CommonOptions,
  createCommand,
  printRecord,
  printTable,
  UsageError,
} from './command-line.ts';

interface CreateOptions extends CommonOptions {
  readonly organization: string;
  readonly kind: string;
  readonly site?: string;
  readonly origin?: readonly string[];
}

/** Creates a client of any kind; a browser client includes its publishable key. */
function create(context: CommandContext, options: CreateOptions, name: string): Promise<ClientRecord> {
  const { organization, kind, site, origin } = options;
  if (kind.toUpperCase() !== 'BROWSER') {
    if (site !== undefined || origin !== undefined) {
      throw new UsageError('--site and --origin require --kind BROWSER.');
    }
    return asWorker(context, options, (worker) => createClient(worker, { name, organization, kind }));
  }
  if (site === undefined || origin === undefined) {
    throw new UsageError('--kind BROWSER requires --site KEY and --origin https://www.example.com.');
  }
  return asWorkerAndApi(context, options, async (worker, api) => {
    const siteId = await findSite(worker, api, organization, site);
    return createBrowserClient(worker, siteId, { name, organization, origins: origin });
  });
}

/** `trellis client create|list|origins|disable|enable`. */
export function clientCommand(context: CommandContext): Command {
  const client = createCommand(
    'client',
    'Create and disable the applications that tokens belong to.',
    'trellis client create "Website" --organization acme --kind BROWSER --site acme --origin https://www.acme.example',
  );
  addSubcommand(
    client,
    'create <name>',
    'create a client, or show the existing one with that name',
    'trellis client create "Website" --organization acme --kind BROWSER --site acme --origin https://www.acme.example',
  )
    .requiredOption('--organization <key>', 'organization of the client')
    .option('--kind <kind>', clientKinds.join(', '), 'SERVER')
    .option('--site <key>', 'for BROWSER: key or id of the site of the pages')
    .option('--origin <origins...>', 'for BROWSER: origins of the pages, such as https://www.acme.example')
    .action(async (name: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>();
      printRecord(context, options, await create(context, options, name));
    });
  addSubcommand(
    client,
    'list',
    'list the clients of an organization',
    'trellis client list --organization acme',
  )
    .requiredOption('--organization <key>', 'organization of the clients')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { organization: string }>();
      const records = await asWorker(context, options, (worker) => listClients(worker, options.organization));
      const columns = ['name', 'kind', 'status', 'id', 'createdAt', 'publishableKey', 'origins'];
      printTable(context, options, records, columns);
    });
  addSubcommand(
    client,
    'origins <client>',
    'set the origins on which the publishable key of a client may be used (by name or id)',
    'trellis client origins "Website" --organization acme --origin https://www.acme.example https://acme.example',
  )
    .requiredOption('--organization <key>', 'organization of the client')
    .requiredOption('--origin <origins...>', 'origins of the pages, such as https://www.acme.example')
    .action(async (name: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<
        CommonOptions & { organization: string; origin: readonly string[] }
      >();
      const { organization, origin } = options;
      const record = await asWorker(context, options, (worker) =>
        setClientOrigins(worker, { client: name, organization, origins: origin }),
      );
      printRecord(context, options, record);
    });
  for (const [word, status, description] of [
    ['disable', 'DISABLED', 'refuse the publishable key and, from the next write on, all tokens of a client'],
    ['enable', 'ACTIVE', 'accept them again'],
  ] as const) {
    addSubcommand(
      client,
      `${word} <client>`,
      `${description} (by name or id)`,
      `trellis client ${word} "Website" --organization acme`,
    )
      .requiredOption('--organization <key>', 'organization of the client')
      .action(async (name: string, _options: unknown, command: Command) => {
        const options = command.optsWithGlobals<CommonOptions & { organization: string }>();
        const { organization } = options;
        const record = await asWorker(context, options, (worker) =>
          setClientStatus(worker, { client: name, organization, status }),
        );
        printRecord(context, options, record);
      });
  }
  return client;
}
