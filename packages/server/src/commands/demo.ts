/** `trellis demo`: shows the addresses and the token of the demo again. */
import type { Command } from 'commander';
import { demoFilePath, readDemoFile } from '../features/demo/demo-file.ts';
import { describeDemo } from '../features/demo/describe.ts';
import { InstallationError } from '../kernel/lib/installation-error.ts';
import { type CommandContext, type CommonOptions, createCommand, readConfig } from './command-line.ts';

/** `trellis demo`. */
export function demoCommand(context: CommandContext): Command {
  return createCommand(
    'demo',
    'Show the addresses and the token of the demo organization.',
    'trellis demo',
  ).action((_options: unknown, command: Command) => {
    const options = command.optsWithGlobals<CommonOptions>();
    const { dataDir } = readConfig(context, options);
    const demo = readDemoFile(dataDir);
    if (demo === null) {
      throw new InstallationError(
        `There is no demo in ${dataDir}. Run "npx trellis serve --demo" with an empty data directory to create one.`,
      );
    }
    context.stdout(
      options.json ? `${JSON.stringify(demo)}\n` : describeDemo(demo, demoFilePath(dataDir), null),
    );
  });
}
