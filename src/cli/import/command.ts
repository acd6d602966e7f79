/** Why: bringing content in is the first thing a new user does, and the last that may go wrong unseen. */
import type { Command } from 'commander';
import {
  type CommandContext,
  type CommonOptions,
  createCommand,
  readConfig,
  SilentFailure,
  UsageError,
} from '../command-line.ts';
import { resolveConnection } from './connection.ts';
import { type MapRule, readMapRule } from './mapping.ts';
import { describeReport, exitCodeOf } from './report.ts';
import { importableResources, runImport } from './run.ts';

interface Options extends CommonOptions {
  readonly resource: string;
  readonly site: string;
  readonly map: MapRule[];
  readonly dryRun?: boolean;
  readonly url?: string;
  readonly token?: string;
  readonly concurrency: string;
  readonly rejected?: string;
}

const mostConcurrency = 64;

/** `trellis import PATH`. */
export function importCommand(context: CommandContext): Command {
  return createCommand(
    'import',
    'Import a folder of Markdown files through the HTTP API. Killed or stopped, it is simply run again.',
    'trellis import posts --resource articles --site blog --dry-run',
  )
    .addHelpText('after', describeNames())
    .argument(
      '<path>',
      'folder of Markdown files with TOML (+++) or YAML (---) front matter, or one such file',
    )
    .requiredOption('--resource <name>', `what they become: ${Object.keys(importableResources).join(', ')}`)
    .requiredOption('--site <key>', 'key or id of the site they go to')
    .option(
      '--map <from=to>',
      'where a name of the front matter goes, once or several times; "name=" leaves it out',
      (text: string, rules: MapRule[]) => [...rules, readMapRule(text)],
      [],
    )
    .option('--dry-run', 'check everything and show where it would go, but write nothing')
    .option('--url <address>', 'address of the server (TRELLIS_URL, else that of demo.json)')
    .option('--token <token>', 'bearer token (TRELLIS_TOKEN, else that of demo.json)')
    .option('--concurrency <number>', `rows that are worked on side by side, 1 to ${mostConcurrency}`, '4')
    .option('--rejected <file>', 'write rejected rows there, one JSON object a line')
    .action(async (path: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      const rejectedFile = options.rejected ?? null;
      const importOptions = {
        path,
        resource: options.resource,
        site: options.site,
        map: options.map,
        dryRun: options.dryRun === true,
        concurrency: readConcurrency(options.concurrency),
        rejectedFile,
      };
      const connection = resolveConnection({
        url: options.url,
        token: options.token,
        environment: context.environment,
        dataDir: readConfig(context, options).dataDir,
      });
      const report = await runImport(importOptions, {
        connection,
        stderr: context.stderr,
        isTerminal: context.isTerminal && options.json !== true,
      });
      context.stdout(options.json ? `${JSON.stringify(report)}\n` : describeReport(report, rejectedFile));
      if (exitCodeOf(report) !== 0) throw new SilentFailure();
    });
}

/** Which names of the front matter are understood without `--map`. */
function describeNames(): string {
  const lines = Object.entries(importableResources).flatMap(([name, { aliases }]) => [
    `\nUnderstood in the front matter for ${name}, besides the API's own names (--map for others):`,
    ...aliases.map(({ to, from }) => `  ${to.padEnd(26)} ${from.join(', ')}`),
  ]);
  return `${lines.join('\n')}\n`;
}

function readConcurrency(text: string): number {
  const value = Number(text);
  if (/^\d{1,3}$/.test(text) && value >= 1 && value <= mostConcurrency) return value;
  throw new UsageError(`--concurrency must be a whole number from 1 to ${mostConcurrency}, not "${text}".`);
}
