/** Why: one application's access can be cut off without touching the others. */
import type { Command } from 'commander';
import {
  clientKinds,
  createClient,
  listClients,
  setClientStatus,
} from '../identity/administration/clients.ts';
import {
  asWorker,
  type CommandContext,
  type CommonOptions,
  createCommand,
  printRecord,
  printTable,
} from './command-line.ts';

/** `trellis client create|list|disable|enable`. */
export function clientCommand(context: CommandContext): Command {
  const client = createCommand(
    'client',
    'Create and disable the applications that tokens belong to.',
    'trellis client create "Website" --organization acme --kind SERVER',
  );
  client
    .command('create <name>')
    .description('create a client, or show the one of that name')
    .requiredOption('--organization <key>', 'organization it belongs to')
    .option('--kind <kind>', clientKinds.join(', '), 'SERVER')
    .action(async (name: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { organization: string; kind: string }>();
      const { organization, kind } = options;
      const record = await asWorker(context, options, (worker) =>
        createClient(worker, { name, organization, kind }),
      );
      printRecord(context, options, record);
    });
  client
    .command('list')
    .description('list the clients of an organization')
    .requiredOption('--organization <key>', 'organization they belong to')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { organization: string }>();
      const records = await asWorker(context, options, (worker) => listClients(worker, options.organization));
      printTable(context, options, records, ['name', 'kind', 'status', 'id', 'createdAt']);
    });
  for (const [word, status, description] of [
    ['disable', 'DISABLED', 'refuse all tokens of a client, from the next write on'],
    ['enable', 'ACTIVE', 'accept them again'],
  ] as const) {
    client
      .command(`${word} <client>`)
      .description(`${description} (by name or id)`)
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
