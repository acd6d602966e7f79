/** `trellis webhooks`: receives webhooks on this machine, without a public address or a tunnel. */
import { once } from 'node:events';
import { ApiClient } from '@trellis/client/api-client.ts';
import { ProblemError } from '@trellis/client/problem.ts';
import type { Command } from 'commander';
import { type CommandContext, createCommand, readConfig, UsageError } from '../command-line.ts';
import { addConnectionOptions, type ConnectionOptions, openConnection } from '../connection.ts';
import { stopOnSignals } from '../stop-signal.ts';
import { DeliveryVerifier, renderDelivery } from './received-call.ts';
import { startReceiver } from './receiver.ts';

interface ListenOptions extends ConnectionOptions {
  readonly types: readonly string[];
  readonly secret?: string;
  readonly status: string;
}

/** Attempts to reach the server. Few, because a person is waiting. */
const attempts = 3;

/** `trellis webhooks listen`. */
export function webhooksCommand(context: CommandContext): Command {
  const example = 'trellis webhooks listen --types "article.*"';
  const webhooks = createCommand('webhooks', 'Try out webhooks.', example);
  webhooks.addCommand(listenCommand(context, example));
  return webhooks;
}

function listenCommand(context: CommandContext, example: string): Command {
  return addConnectionOptions(
    createCommand(
      'listen',
      'Listen on 127.0.0.1 (--port, or a free port) with a webhook endpoint that exists as long as the command runs, and print the deliveries and whether their signatures are valid.',
      example,
    )
      .option('--types <types...>', 'event types to receive: article.published, article.*, or *', ['*'])
      .option('--secret <secret>', 'verify with this secret of an existing endpoint instead of creating one')
      .option('--status <number>', 'status to respond with: 500 to see retries', '200'),
  ).action(async (_options: unknown, command: Command) => {
    await listen(context, command.optsWithGlobals<ListenOptions>());
  });
}

async function listen(context: CommandContext, options: ListenOptions): Promise<void> {
  const { port } = readConfig(context, options);
  const status = readStatus(options.status);
  const given = options.secret === undefined ? null : readSecret(options.secret);
  const api = given === null ? new ApiClient({ ...openConnection(context, options), attempts }) : null;
  using signals = stopOnSignals();
  const stop = signals.signal;
  const secret = Promise.withResolvers<string>();
  // The first call may arrive before the response that contains the secret.
  const verifier = secret.promise.then((text) => new DeliveryVerifier(text, status));
  const opened = new AsyncDisposableStack();
  try {
    const receiver = await startReceiver(options.port === undefined ? 0 : port, async (call) => {
      const receivedAt = new Date();
      const delivery = (await verifier).verify(call.headers, call.body, receivedAt);
      const line = options.json ? JSON.stringify(delivery) : renderDelivery(delivery, context.isTerminal);
      context.stdout(`${line}\n`);
      return delivery.status;
    });
    opened.adopt(receiver, (it) => it.close());
    if (api !== null) {
      const endpoint = await createEndpoint(api, receiver.url, options.types);
      opened.defer(() => deleteEndpoint(context, api, endpoint.id));
      secret.resolve(endpoint.secret);
      context.stderr(`Endpoint ${endpoint.id} for ${options.types.join(', ')}, deleted on exit.\n`);
    }
    if (given !== null) secret.resolve(given);
    context.stderr(`Listening on ${receiver.url}. Press Ctrl-C to stop.\n`);
    if (!stop.aborted) await once(stop, 'abort');
  } finally {
    await opened.disposeAsync();
  }
}

/** @throws ProblemError; Error that says what to set when the server may not call this machine */
async function createEndpoint(
  api: ApiClient,
  url: string,
  eventTypes: readonly string[],
): Promise<{ id: string; secret: string }> {
  const body = { url, eventTypes, description: 'trellis webhooks listen' };
  try {
    const response = await api.call('createWebhookEndpoint', { body });
    return response.body;
  } catch (error) {
    if (!(error instanceof ProblemError) || !isAboutUrl(error)) throw error;
    throw new Error(
      `${error.message} Start the server with TRELLIS_WEBHOOK_ALLOW_PRIVATE=127.0.0.0/8, and listen on the same machine.`,
      { cause: error },
    );
  }
}

function isAboutUrl({ faults }: ProblemError): boolean {
  return faults.some(({ code }) => code === 'refused_url');
}

async function deleteEndpoint(context: CommandContext, api: ApiClient, id: string): Promise<void> {
  try {
    await api.call('deleteWebhookEndpoint', { path: { id } });
  } catch (error) {
    const isGone = error instanceof ProblemError && error.code === 'not_found';
    const detail = error instanceof Error ? error.message : String(error);
    if (!isGone)
      throw new Error(`Endpoint ${id} could not be deleted: ${detail} Delete it yourself.`, { cause: error });
  }
  context.stderr(`Endpoint ${id} was deleted.\n`);
}

function readStatus(text: string): number {
  const status = Number(text);
  if (/^[2-5]\d\d$/.test(text)) return status;
  throw new UsageError(`--status must be an HTTP status from 200 to 599, not "${text}".`);
}

function readSecret(text: string): string {
  if (/^whsec_([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return text;
  throw new UsageError('--secret must be the secret of an endpoint: "whsec_" followed by base64.');
}
