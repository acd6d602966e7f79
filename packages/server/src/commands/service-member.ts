/** `trellis service-member`: members that are programs, for which a person is responsible. */

import { roles } from '@trellis/schema/rights/permissions.ts';
import type { Command } from 'commander';
import { createServiceMember, setResponsible } from '../features/access/service-members.ts';
import {
  addSubcommand,
  asWorker,
  type CommandContext,
  type CommonOptions,
  createCommand,
  printRecord,
} from './command-line.ts';

/** `trellis service-member create|responsible`. */
export function serviceMemberCommand(context: CommandContext): Command {
  const serviceMember = createCommand(
    'service-member',
    'Create members that are programs, and say who is responsible for them. "trellis user" lists and removes them and changes their roles.',
    'trellis service-member create "Nightly import" --organization acme --role EDITOR --responsible ada@example.com',
  );
  addSubcommand(
    serviceMember,
    'create <name>',
    'create a service member, or show the one with that name',
    'trellis service-member create "Nightly import" --organization acme --role EDITOR --responsible ada@example.com',
  )
    .requiredOption('--organization <key>', 'organization to join')
    .requiredOption('--role <key>', `${roles.join(', ')}, or the key of a role of the organization`)
    .requiredOption('--responsible <email>', 'member who is responsible for it')
    .action(async (name: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<
        CommonOptions & { organization: string; role: string; responsible: string }
      >();
      const { organization, role, responsible } = options;
      const record = await asWorker(context, options, (worker) =>
        createServiceMember(worker, { name, organization, role, responsible }),
      );
      printRecord(context, options, record);
    });
  addSubcommand(
    serviceMember,
    'responsible <member> <email>',
    'make another person responsible for a service member, given by its name or id',
    'trellis service-member responsible "Nightly import" grace@example.com --organization acme',
  )
    .requiredOption('--organization <key>', 'organization of the member')
    .action(async (member: string, responsible: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { organization: string }>();
      const { organization } = options;
      const record = await asWorker(context, options, (worker) =>
        setResponsible(worker, { member, organization, responsible }),
      );
      printRecord(context, options, record);
    });
  return serviceMember;
}
