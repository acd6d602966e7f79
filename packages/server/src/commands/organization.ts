/** `trellis organization`: creates, suspends and moves organizations, and switches their modules. */

import { modules } from '@trellis/schema/resources/resource.ts';
import type { Command } from 'commander';
import {
  createOrganization,
  listOrganizations,
  setModules,
  setOrganizationStatus,
} from '../features/access/organizations.ts';
import {
  addSubcommand,
  asWorker,
  type CommandContext,
  type CommonOptions,
  createCommand,
  printRecord,
  printTable,
  UsageError,
} from './command-line.ts';
import { addMoveCommands } from './organization-move.ts';

/** `trellis organization create|list|suspend|resume|modules|export|import`. */
export function organizationCommand(context: CommandContext): Command {
  const organization = createCommand(
    'organization',
    'Create, list, suspend and move organizations, and switch their modules.',
    'trellis organization create acme --name "Acme Publishing"',
  );
  addSubcommand(
    organization,
    'create <key>',
    'create an organization, or show the existing one with that key',
    'trellis organization create acme --name "Acme Publishing" --country DE',
  )
    .option('--name <name>', 'display name (default: the key)')
    .option('--modules <names...>', `modules to switch on (default: all): ${modules.join(' ')}`)
    .option('--country <country>', 'default country of phone numbers, by code (ISO 3166-1) or name')
    .action(async (key: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<
        CommonOptions & { name?: string; modules?: string[]; country?: string }
      >();
      const record = await asWorker(context, options, (worker) =>
        createOrganization(worker, {
          key,
          name: options.name,
          modules: options.modules,
          defaultCountry: options.country,
        }),
      );
      printRecord(context, options, record);
    });
  addSubcommand(organization, 'list', 'list all organizations', 'trellis organization list --json').action(
    async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const records = await asWorker(context, options, listOrganizations);
      printTable(context, options, records, ['key', 'name', 'status', 'modules', 'createdAt']);
    },
  );
  for (const [name, status, description] of [
    ['suspend', 'SUSPENDED', 'refuse all calls of an organization, from the next write on'],
    ['resume', 'ACTIVE', 'end a suspension'],
  ] as const) {
    addSubcommand(organization, `${name} <key>`, description, `trellis organization ${name} acme`).action(
      async (key: string, _options: unknown, command: Command) => {
        const options = command.optsWithGlobals<CommonOptions>();
        const record = await asWorker(context, options, (worker) =>
          setOrganizationStatus(worker, key, status),
        );
        printRecord(context, options, record);
      },
    );
  }
  addSubcommand(
    organization,
    'modules <key>',
    'switch modules on and off',
    'trellis organization modules acme --enable crm --disable sandbox',
  )
    .option('--enable <names...>', 'modules to switch on')
    .option('--disable <names...>', 'modules to switch off')
    .action(async (key: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { enable?: string[]; disable?: string[] }>();
      const { enable = [], disable = [] } = options;
      const both = enable.find((name) => disable.includes(name));
      if (both !== undefined) throw new UsageError(`"${both}" is given to both --enable and --disable.`);
      const record = await asWorker(context, options, (worker) =>
        setModules(worker, key, { enable, disable }),
      );
      printRecord(context, options, record);
    });
  addMoveCommands(organization, context);
  return organization;
}
