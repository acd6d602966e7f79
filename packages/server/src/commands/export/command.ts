/** The command `trellis export`. */

import { resourcesInOrder } from '@trellis/importer/order.ts';
import type { Command } from 'commander';
import { type CommandContext, createCommand } from '../command-line.ts';
import { addConnectionOptions, type ConnectionOptions, openConnection } from '../connection.ts';
import { runExport } from './run.ts';

interface Options extends ConnectionOptions {
  readonly resource: string[];
  readonly output: string;
}

/** `trellis export`. */
export function exportCommand(context: CommandContext): Command {
  return addConnectionOptions(
    createCommand(
      'export',
      'Export the records of an organization as NDJSON, one per line, through the HTTP API. "trellis import FILE" reads it.',
      'trellis export --output organization.ndjson',
    )
      .option(
        '--resource <name>',
        `only this resource; may be repeated: ${resourcesInOrder.map(({ name }) => name).join(', ')}`,
        (name: string, names: string[]) => [...names, name],
        [],
      )
      .option('--output <path>', 'a file; a folder for one file per resource; - for standard output', '-'),
  ).action(async (_options: unknown, command: Command) => {
    const options = command.optsWithGlobals<Options>();
    const connection = openConnection(context, options);
    const { stdout, stderr } = context;
    const isTerminal = context.isTerminal && options.json !== true && options.output !== '-';
    const exportOptions = { resources: options.resource, output: options.output };
    const report = await runExport(exportOptions, { connection, stdout, stderr, isTerminal });
    const lines = Object.entries(report.resources).map(
      ([name, count]) => `  ${name.padEnd(12)}${String(count).padStart(8)}`,
    );
    lines.push(...report.switchedOff.map((name) => `  ${name.padEnd(12)} switched off`));
    const target = report.files.length === 0 ? 'standard output' : report.files.join(', ');
    const summary = options.json
      ? `${JSON.stringify(report)}\n`
      : `${report.records} records to ${target} in ${report.seconds.toFixed(1)} s:\n${lines.join('\n')}\n`;
    // Standard output contains the records.
    (options.output === '-' ? stderr : stdout)(summary);
  });
}
