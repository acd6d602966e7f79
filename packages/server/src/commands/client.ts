/** Why: one application's access can be cut off without touching the others. */
import type { Command } from 'commander';
import {
  type ClientRecord,
  clientKinds,
  createBrowserClient,
  createClient,
  listClients,
  setClientOrigins,
  setClientStatus,
} from '../identity/administration/clients.ts';
import { findSite } from '../identity/administration/sites.ts';
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

/** A client of any kind; that of a browser comes with its publishable key. */
function create(context: CommandContext, options: CreateOptions, name: string): Promise<ClientRecord> {
  const { organization, kind, site, origin } = options;
  if (kind.toUpperCase() !== 'BROWSER') {
    if (site !== undefined || origin !== undefined) {
      throw new UsageError('--site and --origin are for --kind BROWSER.');
    }
    return asWorker(context, options, (worker) => createClient(worker, { name, organization, kind }));
  }
  if (site === undefined || origin === undefined) {
    throw new UsageError('--kind BROWSER needs --site KEY and --origin https://www.example.com.');
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
    'create a client, or show the one of that name',
    'trellis client create "Website" --organization acme --kind BROWSER --site acme --origin https://www.acme.example',
  )
    .requiredOption('--organization <key>', 'organization it belongs to')
    .option('--kind <kind>', clientKinds.join(', '), 'SERVER')
    .option('--site <key>', 'with BROWSER: the site whose pages they are, by key or id')
    .option('--origin <origins...>', 'with BROWSER: where the pages are, such as https://www.acme.example')
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
    .requiredOption('--organization <key>', 'organization they belong to')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { organization: string }>();
      const records = await asWorker(context, options, (worker) => listClients(worker, options.organization));
      const columns = ['name', 'kind', 'status', 'id', 'createdAt', 'publishableKey', 'origins'];
      printTable(context, options, records, columns);
    });
  addSubcommand(
    client,
    'origins <client>',
    'say anew where the publishable key of a client may be used (by name or id)',
    'trellis client origins "Website" --organization acme --origin https://www.acme.example https://acme.example',
  )
    .requiredOption('--organization <key>', 'organization it belongs to')
    .requiredOption('--origin <origins...>', 'where the pages are, such as https://www.acme.example')
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
    ['disable', 'DISABLED', 'refuse all tokens of a client, from the next write on, and its publishable key'],
    ['enable', 'ACTIVE', 'accept them again'],
  ] as const) {
    addSubcommand(
      client,
      `${word} <client>`,
      `${description} (by name or id)`,
      `trellis client ${word} "Website" --organization acme`,
    )
      .requiredOption('--organization <key>', 'organization it belongs to')
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
