/** `trellis events`: prints the events of an organization, for people and for other programs. */
import type { Event } from '@trellis/client/generated/types.ts';
import type { Command } from 'commander';
import { type CommandContext, createCommand, UsageError } from '../command-line.ts';
import { addConnectionOptions, type ConnectionOptions, openConnection } from '../connection.ts';
import { outputClosed, stopOnSignals } from '../stop-signal.ts';
import { EventFollower } from './follow.ts';
import { renderEvent } from './render.ts';

interface TailOptions extends ConnectionOptions {
  readonly from?: string;
  readonly type?: string;
  readonly subject?: string;
  readonly follow: boolean;
}

/** `trellis events tail`. */
export function eventsCommand(context: CommandContext): Command {
  const example = 'trellis events tail --from earliest --type "article.*"';
  const events = createCommand('events', 'Follow the events of an organization.', example);
  events.addCommand(tailCommand(context, example));
  return events;
}

function tailCommand(context: CommandContext, example: string): Command {
  return addConnectionOptions(
    createCommand(
      'tail',
      'Print the events of an organization through the HTTP API, each once and in order, until stopped.',
      example,
    )
      .option('--from <place>', 'earliest, latest, or a cursor (default: latest; earliest with --no-follow)')
      .option('--type <type>', 'only events of this type, or of all types of a resource: article.*')
      .option('--subject <id>', 'only events about the record with this id')
      .option('--no-follow', 'print the existing events, and exit'),
  ).action(async (_options: unknown, command: Command) => {
    const options = command.optsWithGlobals<TailOptions>();
    for (const name of ['from', 'type', 'subject'] as const) {
      if (options[name] === '') throw new UsageError(`--${name} must not be empty.`);
    }
    await tail(context, options);
  });
}

async function tail(context: CommandContext, options: TailOptions): Promise<void> {
  const { from, type, subject, follow } = options;
  using signals = stopOnSignals();
  const stop = signals.signal;
  const follower = new EventFollower({
    connection: openConnection(context, options),
    from: from ?? (follow ? 'latest' : 'earliest'),
    type,
    subject,
    follow,
    stop,
    notify: (sentence) => context.stderr(`${sentence}\n`),
  });
  const render = options.json
    ? (event: Event) => JSON.stringify(event)
    : (event: Event) => renderEvent(event, context.isTerminal);
  for await (const event of follower.events()) context.stdout(`${render(event)}\n`);
  // A reader that closed the pipe may have missed the last events.
  if (follower.cursor === null || stop.reason === outputClosed) return;
  context.stderr(`To continue from here: --from ${follower.cursor}\n`);
}
