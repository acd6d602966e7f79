/** Commands for people: as members of organizations, and the link that lets them sign in. */

import { roles } from '@trellis/schema/rights/permissions.ts';
import type { Command } from 'commander';
import { createUser, listUsers, removeUser, setRole } from '../identity/administration/users.ts';
import { makeSignInLink } from '../identity/sign-in/operator-link.ts';
import {
  addSubcommand,
  asAuth,
  asWorker,
  type CommandContext,
  type CommonOptions,
  createCommand,
  printRecord,
  printTable,
} from './command-line.ts';
import { readServerOrigin } from './connection.ts';

/** `trellis user create|list|role|remove|sign-in-link`. */
export function userCommand(context: CommandContext): Command {
  const user = createCommand(
    'user',
    'Create and list users, and change what they may do.',
    'trellis user create ada@example.com --organization acme --role EDITOR --name "Ada"',
  );
  addSubcommand(
    user,
    'create <email>',
    'create a user and make them a member, or show the member of that address',
    'trellis user create ada@example.com --organization acme --role EDITOR --name "Ada"',
  )
    .requiredOption('--organization <key>', 'organization to be a member of')
    .requiredOption('--role <role>', roles.join(', '))
    .option('--name <name>', 'name for people; the address when absent')
    .action(async (email: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<
        CommonOptions & { organization: string; role: string; name?: string }
      >();
      const { organization, role, name } = options;
      const record = await asWorker(context, options, (worker) =>
        createUser(worker, { email, organization, role, name }),
      );
      printRecord(context, options, record);
    });
  addSubcommand(
    user,
    'list',
    'list the members of one organization, or of all',
    'trellis user list --organization acme',
  )
    .option('--organization <key>', 'only this one')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { organization?: string }>();
      const records = await asWorker(context, options, (worker) => listUsers(worker, options.organization));
      printTable(context, options, records, ['email', 'name', 'organization', 'role', 'status', 'id']);
    });
  addSubcommand(
    user,
    'role <email> <role>',
    'give a member another role, from their next write on',
    'trellis user role ada@example.com ADMIN --organization acme',
  )
    .requiredOption('--organization <key>', 'organization they are a member of')
    .action(async (email: string, role: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { organization: string }>();
      const { organization } = options;
      const record = await asWorker(context, options, (worker) =>
        setRole(worker, { email, organization, role }),
      );
      printRecord(context, options, record);
    });
  addSubcommand(
    user,
    'remove <email>',
    'end a membership and revoke the tokens of it',
    'trellis user remove ada@example.com --organization acme',
  )
    .requiredOption('--organization <key>', 'organization they are a member of')
    .action(async (email: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { organization: string }>();
      const { organization } = options;
      const record = await asWorker(context, options, (worker) =>
        removeUser(worker, { email, organization }),
      );
      printRecord(context, options, { removed: record.email, organization: record.organization });
    });
  addSubcommand(
    user,
    'sign-in-link <email>',
    'make a link that signs this person in once, within ten minutes',
    'trellis user sign-in-link ada@example.com',
  ).action(async (email: string, _options: unknown, command: Command) => {
    const options = command.optsWithGlobals<CommonOptions>();
    const origin = readServerOrigin(context, options);
    const { url, expiresAt } = await asAuth(context, options, (auth) => makeSignInLink(auth, email, origin));
    printRecord(context, options, { link: url, expiresAt });
  });
  return user;
}
