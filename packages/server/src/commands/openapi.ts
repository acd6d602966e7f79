/** `trellis openapi`: prints the live API documents without a server, for generators, reviews and diffs. */
import { type Command, Option } from 'commander';
import { publicOrigin } from '../kernel/config/config.ts';
import { type CommandContext, type CommonOptions, createCommand, readConfig } from './command-line.ts';

/** The tenant API, the plant store, or the events. */
export type DocumentKind = 'api' | 'sandbox' | 'events';

/**
 * `trellis openapi`.
 * @param build creates the document for a public origin; that of the sandbox for its whole address
 */
export function openapiCommand(
  context: CommandContext,
  build: (kind: DocumentKind, address: string) => Promise<object>,
): Command {
  return createCommand(
    'openapi',
    'Print the OpenAPI document of the tenant API or of the sandbox, or the AsyncAPI document of the events.',
    'trellis openapi > openapi.json',
  )
    .addOption(new Option('--sandbox', 'the document of the plant store instead').conflicts('async'))
    .option('--async', 'the AsyncAPI document of webhooks and the event stream instead')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { sandbox?: boolean; async?: boolean }>();
      const config = readConfig(context, options);
      const origin = publicOrigin(config) ?? `http://localhost:${config.port}`;
      const kind = options.sandbox ? 'sandbox' : options.async ? 'events' : 'api';
      const address = kind === 'sandbox' ? (config.sandboxUrl ?? `${origin}/sandbox`) : origin;
      context.stdout(`${JSON.stringify(await build(kind, address), null, 2)}\n`);
    });
}
