/** Why: the live document, without a server: for generators, reviews and diffs. */
import type { Command } from 'commander';
import { publicOrigin } from '../config.ts';
import { type CommandContext, type CommonOptions, createCommand, readConfig } from './command-line.ts';

/**
 * `trellis openapi`.
 * @param build makes the document for a public scheme, host and port
 */
export function openapiCommand(
  context: CommandContext,
  build: { api: (origin: string) => object; sandbox: (origin: string) => object },
): Command {
  return createCommand(
    'openapi',
    'Print the OpenAPI document of the tenant API, or of the sandbox.',
    'trellis openapi > openapi.json',
  )
    .option('--sandbox', 'the document of the plant store instead')
    .action((_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<CommonOptions & { sandbox?: boolean }>();
      const config = readConfig(context, options);
      const origin = publicOrigin(config) ?? `http://localhost:${config.port}`;
      const document = options.sandbox ? build.sandbox(origin) : build.api(origin);
      context.stdout(`${JSON.stringify(document, null, 2)}\n`);
    });
}
