/** `trellis serve`: its options. */
import type { Command } from 'commander';
import type { Config } from '../../kernel/config/config.ts';
import { roles } from '../../kernel/config/roles.ts';
import { type CommandContext, createCommand, readConfig, UsageError } from '../command-line.ts';
import type { ServeOptions } from './run.ts';

/** `trellis serve`. */
export function serveCommand(context: CommandContext): Command {
  return createCommand('serve', 'Serve all interfaces.', 'trellis serve --port 4000 --data-dir /srv/trellis')
    .option('--demo', 'create a demo organization with content if the installation is empty')
    .option('--roles <names>', `roles of this node; default ${roles.join(',')} (TRELLIS_ROLES)`)
    .option('--workers <number>', 'processes that serve on the port; default 1 (TRELLIS_WORKERS)')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<ServeOptions>();
      const config = withDemoLog(readConfig(context, options), options, context);
      checkRoles(config, options.demo === true);
      // Most uses of the command line do not serve, and everything that a server needs takes long to import.
      const { serve } = await import('./run.ts');
      await serve(context, options, config);
    });
}

/** Whoever tries the demo looks for its link: without a level of their own, only what needs attention is logged. */
function withDemoLog(config: Config, { demo }: ServeOptions, { environment }: CommandContext): Config {
  const isChosen = (environment.TRELLIS_LOG_LEVEL ?? '') !== '';
  return demo && !isChosen ? { ...config, logLevel: 'warn' } : config;
}

/** Refuses options that need the role `api` on a node without it. */
function checkRoles({ roles, workers }: Config, demo: boolean): void {
  if (roles.includes('api')) return;
  if (demo) throw new UsageError('--demo creates its content through the API and needs the role api.');
  if (workers > 1)
    throw new UsageError('--workers starts processes that serve requests and needs the role api.');
}
