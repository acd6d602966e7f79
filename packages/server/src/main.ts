/** The program `trellis`: runs the command line in this process. */
import { createInterface } from 'node:readline/promises';
import { stopForClosedOutput } from './commands/stop-signal.ts';
import { runCommandLine } from './program.ts';

// A reader of our output may close it early, as `head` does; that is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  // Commands that have something to clean up end by themselves.
  if (!stopForClosedOutput()) process.exit(0);
});

const isTerminal = process.stdout.isTTY === true;
process.exitCode = await runCommandLine(process.argv.slice(2), {
  folder: process.cwd(),
  environment: process.env,
  stdout: (text) => process.stdout.write(text),
  stderr: (text) => process.stderr.write(text),
  isTerminal,
  ...(process.stdin.isTTY === true && isTerminal ? { ask } : {}),
});

async function ask(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}
