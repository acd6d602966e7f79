/** `trellis user`: users, their memberships and roles, and the link that lets them sign in. */

import { roles } from '@trellis/schema/rights/permissions.ts';
import { newUuid } from '@trellis/schema/values/ids.ts';
import type { Command } from 'commander';
import { makeSignInLink } from '../features/access/sign-in-link.ts';
import { changeUserStatus } from '../features/access/user-status.ts';
import { createUser, listUsers, removeUser, setRole } from '../features/access/users.ts';
import { claimAccount } from '../features/sign-in/claim.ts';
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

/** `trellis user create|list|role|remove|disable|enable|sign-in-link`. */
export function userCommand(context: CommandContext): Command {
  const user = createCommand(
    'user',
    'Create and list users, and change their roles.',
    'trellis user create ada@example.com --organization acme --role EDITOR --name "Ada"',
  );
  addSubcommand(
    user,
    'create <email>',
    'create a user and add them to an organization, or show the existing member',
    'trellis user create ada@example.com --organization acme --role EDITOR --name "Ada"',
  )
    .requiredOption('--organization <key>', 'organization to join')
    .requiredOption('--role <key>', `${roles.join(', ')}, or the key of a role of the organization`)
    .option('--name <name>', 'display name (default: the email address)')
    .action(async (email: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<
        CommonOptions & { organization: string; role: string; name?: string }
      >();
      const { organization, role, name } = options;
      const record = await asWorker(context, options, (worker) =>
        createUser(worker, { email, organization, role, name }, (userId) =>
          asAuth(context, options, (auth) => claimAccount(auth, userId, newUuid())),
        ),
      );
      printRecord(context, options, record);
    });
  addSubcommand(
    user,
    'list',
    'list the members of one organization, or of all',
    'trellis user list --organization acme',
  )
    .option('--organization <key>', 'only this organization')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { organization?: string }>();
      const records = await asWorker(context, options, (worker) => listUsers(worker, options.organization));
      printTable(context, options, records, [
        'email',
        'name',
        'kind',
        'organization',
        'role',
        'roleName',
        'responsible',
        'status',
        'id',
      ]);
    });
  addSubcommand(
    user,
    'role <member> <key>',
    'change the role of a member, given by an address or id, from their next write on',
    'trellis user role ada@example.com ADMIN --organization acme',
  )
    .requiredOption('--organization <key>', 'organization of the member')
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
    'remove <member>',
    'end a membership, given by an address or id, and revoke its tokens',
    'trellis user remove ada@example.com --organization acme',
  )
    .requiredOption('--organization <key>', 'organization of the member')
    .action(async (email: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { organization: string }>();
      const { organization } = options;
      const record = await asWorker(context, options, (worker) =>
        removeUser(worker, { email, organization }),
      );
      printRecord(context, options, {
        removed: record.email ?? record.name,
        organization: record.organization,
      });
    });
  for (const [name, status, description] of [
    [
      'disable',
      'DISABLED',
      'disable a user in all organizations, from their next write on, and end their sessions',
    ],
    ['enable', 'ACTIVE', 'let a disabled user sign in and use their tokens again'],
  ] as const) {
    addSubcommand(user, `${name} <email>`, description, `trellis user ${name} ada@example.com`).action(
      async (email: string, _options: unknown, command: Command) => {
        const options = command.optsWithGlobals<CommonOptions>();
        const record = await asAuth(context, options, (auth) => changeUserStatus(auth, email, status));
        printRecord(context, options, record);
        for (const key of record.withoutOwner) {
          context.stderr(
            `"${key}" has no active owner now: "trellis user role EMAIL OWNER --organization ${key}" makes a member its owner.\n`,
          );
        }
      },
    );
  }
  addSubcommand(
    user,
    'sign-in-link <email>',
    'create a link to the console that signs this user in once, within ten minutes',
    'trellis user sign-in-link ada@example.com',
  ).action(async (email: string, _options: unknown, command: Command) => {
    const options = command.optsWithGlobals<CommonOptions>();
    const origin = readServerOrigin(context, options);
    const { url, expiresAt } = await asAuth(context, options, (auth) => makeSignInLink(auth, email, origin));
    printRecord(context, options, { link: url, expiresAt });
  });
  return user;
}
