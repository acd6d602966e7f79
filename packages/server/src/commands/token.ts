/** `trellis token`: creates, lists and revokes tokens, also while the server is running. */

import { allScopes } from '@trellis/schema/rights/scopes.ts';
import type { Command } from 'commander';
import { findServiceMember } from '../features/access/service-members.ts';
import { createToken, listTokens, revokeToken } from '../features/access/tokens.ts';
import { readDuration } from '../kernel/config/values.ts';
import { type Audience, audiences } from '../kernel/identity/actor.ts';
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

const shortestLifeSeconds = 1;
const longestLifeSeconds = 365 * 86_400;

interface CreateOptions extends CommonOptions {
  readonly organization: string;
  readonly user?: string;
  readonly serviceMember?: string;
  readonly scopes?: string[];
  readonly allScopes?: boolean;
  readonly resource: string[];
  readonly expires: string;
  readonly client: string;
}

/** `trellis token create|list|revoke`. */
export function tokenCommand(context: CommandContext): Command {
  const token = createCommand(
    'token',
    'Create, list and revoke bearer tokens.',
    'trellis token create --organization acme --user ada@example.com --scopes "articles:read articles:write"',
  );
  addSubcommand(
    token,
    'create',
    'create a token; it is shown only once',
    'trellis token create --organization acme --user ada@example.com --scopes "articles:read articles:write" --expires 30d',
  )
    .requiredOption('--organization <key>', 'organization that it gives access to')
    .option('--user <email>', 'person it acts as')
    .option('--service-member <member>', 'service member it acts as, by name or id, instead of --user')
    .option('--scopes <scopes...>', `scopes: ${allScopes.join(' ')}`)
    .option('--all-scopes', 'all scopes')
    .option('--resource <interfaces...>', `interfaces: ${audiences.join(', ')}`, ['api'])
    .option('--expires <duration>', 'lifetime, such as 12h or 90d, at most 365d; or "never"', '90d')
    .option('--client <client>', 'its application, by name or id; created if missing', 'Command line')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>();
      const wanted = {
        organization: options.organization,
        scopes: readScopes(options),
        audiences: options.resource.flatMap(splitWords).map(readAudience),
        expiresInSeconds: readLife(options.expires),
        client: options.client,
      };
      if ((options.user === undefined) === (options.serviceMember === undefined))
        throw new UsageError('Use either --user or --service-member.');
      const made = await asWorker(context, options, async (worker) => {
        const { organization, user = '', serviceMember } = options;
        const member =
          serviceMember === undefined
            ? user
            : (await findServiceMember(worker, organization, serviceMember)).id;
        return createToken(worker, { ...wanted, email: member });
      });
      printRecord(context, options, { token: made.token, ...made.record });
    });
  addSubcommand(
    token,
    'list',
    'list the tokens of one organization, or of all',
    'trellis token list --organization acme',
  )
    .option('--organization <key>', 'only this organization')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { organization?: string }>();
      const records = await asWorker(context, options, (worker) => listTokens(worker, options.organization));
      const columns = [
        'id',
        'organization',
        'user',
        'serviceMember',
        'client',
        'resources',
        'expiresAt',
        'revokedAt',
        'lastUsedAt',
      ];
      printTable(context, options, records, columns);
    });
  addSubcommand(
    token,
    'revoke <id>',
    'revoke a token, by its id or by the token itself',
    'trellis token revoke token_01h455vb4pex5vsknk084sn02q',
  ).action(async (id: string, _options: unknown, command: Command) => {
    const options = command.optsWithGlobals<CommonOptions>();
    const record = await asWorker(context, options, (worker) => revokeToken(worker, id));
    printRecord(context, options, record);
  });
  return token;
}

function readScopes(options: CreateOptions): readonly string[] {
  if (options.allScopes && options.scopes !== undefined) {
    throw new UsageError('Use either --scopes or --all-scopes.');
  }
  return options.allScopes ? allScopes : (options.scopes ?? []).flatMap(splitWords);
}

function splitWords(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

function readAudience(text: string): Audience {
  const found = audiences.find((known) => known === text);
  if (found === undefined) {
    throw new UsageError(`--resource must be ${audiences.join(' or ')}, not "${text}".`);
  }
  return found;
}

function readLife(text: string): number | null {
  if (text === 'never') return null;
  try {
    return readDuration(text, shortestLifeSeconds, longestLifeSeconds);
  } catch (error) {
    throw new UsageError(`--expires ${(error as Error).message}`);
  }
}
