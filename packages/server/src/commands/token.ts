/** Why: tokens are what integrations hold; they are made, listed and revoked here, also while the server runs. */

import { allScopes } from '@trellis/schema/rights/scopes.ts';
import type { Command } from 'commander';
import { readDuration } from '../config/values.ts';
import { type Audience, audiences } from '../identity/actor.ts';
import { createToken, listTokens, revokeToken } from '../identity/administration/tokens.ts';
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
  readonly user: string;
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
    'create a token and show it, once',
    'trellis token create --organization acme --user ada@example.com --scopes "articles:read articles:write" --expires 30d',
  )
    .requiredOption('--organization <key>', 'organization it opens')
    .requiredOption('--user <email>', 'member it acts as')
    .option('--scopes <scopes...>', `what it may do: ${allScopes.join(' ')}`)
    .option('--all-scopes', 'every scope there is')
    .option('--resource <interfaces...>', `interfaces it is for: ${audiences.join(', ')}`, ['api'])
    .option('--expires <duration>', 'how long it lives, such as 12h or 90d, at most 365d; or "never"', '90d')
    .option('--client <client>', 'application it belongs to, by name or id; made when absent', 'Command line')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CreateOptions>();
      const wanted = {
        organization: options.organization,
        email: options.user,
        scopes: readScopes(options),
        audiences: options.resource.flatMap(splitWords).map(readAudience),
        expiresInSeconds: readLife(options.expires),
        client: options.client,
      };
      const made = await asWorker(context, options, (worker) => createToken(worker, wanted));
      printRecord(context, options, { token: made.token, ...made.record });
    });
  addSubcommand(
    token,
    'list',
    'list the tokens of one organization, or of all',
    'trellis token list --organization acme',
  )
    .option('--organization <key>', 'only this one')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { organization?: string }>();
      const records = await asWorker(context, options, (worker) => listTokens(worker, options.organization));
      const columns = [
        'id',
        'organization',
        'user',
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
    'refuse a token from now on, by its id or by the token itself',
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
    throw new UsageError('Give either --scopes or --all-scopes.');
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
