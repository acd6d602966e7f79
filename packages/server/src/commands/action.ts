/** `trellis action`: does to one record what its resource declares as an action, through the HTTP API. */
import { ApiClient } from '@trellis/client/api-client.ts';
import type { ActionDeclaration } from '@trellis/schema/resources/actions.ts';
import type { Field } from '@trellis/schema/resources/fields.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import type { Command } from 'commander';
import { type CommandContext, createCommand, printRecord, printTable, UsageError } from './command-line.ts';
import {
  addConnectionOptions,
  type Connection,
  type ConnectionOptions,
  openConnection,
} from './connection.ts';

interface Options extends ConnectionOptions {
  readonly input: readonly string[];
}

/** An action as the command line names it. */
interface NamedAction {
  readonly name: string;
  /** Below the origin, parameters in braces. */
  readonly path: string;
  readonly declared: ActionDeclaration;
}

/** What a command line says. */
interface ActionRequest {
  /** Id of the operation. */
  readonly name: string;
  /** What the path has in braces, in its order. */
  readonly ids: readonly string[];
  /** Members of the body, each as `name=value`. */
  readonly input: readonly string[];
}

/** `trellis action`. */
export function actionCommand(context: CommandContext): Command {
  return addConnectionOptions(
    createCommand(
      'action',
      'Do an action on a record, such as replacing a token, through the HTTP API. Without a name: list the actions.',
      'trellis action rotateToken token_01h455vb4pex5vsknk084sn02q --input overlapSeconds=3600',
    )
      .argument('[name]', 'id of the operation')
      .argument('[ids...]', 'ids and numbers that its path has in braces, in that order')
      .option(
        '--input <name=value>',
        'member of the body; may be repeated',
        (given: string, others: string[]) => [...others, given],
        [],
      ),
  ).action(async (name: string | undefined, ids: string[], _options: unknown, command: Command) => {
    const options = command.optsWithGlobals<Options>();
    if (name === undefined) return printTable(context, options, describeActions(), ['name', 'path', 'input']);
    const request = { name, ids, input: options.input };
    printRecord(context, options, await runAction(request, openConnection(context, options)));
  });
}

/** Sends the request of an action. @returns the response @throws UsageError for what is not declared; ProblemError */
async function runAction({ name, ids, input }: ActionRequest, connection: Connection): Promise<object> {
  const action = listActions().find((one) => one.name === name);
  if (action === undefined)
    throw new UsageError(`There is no action "${name}". "trellis action" lists them.`);
  const { declared } = action;
  const path = fillPath(action, ids);
  const body = readInput(action, input);
  const { body: response } = await new ApiClient(connection).request({
    method: 'POST',
    path,
    body: declared.input === undefined ? null : body,
  });
  return response !== null && typeof response === 'object' ? response : {};
}

function listActions(): NamedAction[] {
  return resources.flatMap(({ path, actions = {} }) =>
    Object.entries(actions).map(([name, declared]) => ({
      name,
      path: `/v1${path}/{id}/${declared.path}`,
      declared,
    })),
  );
}

function describeActions(): object[] {
  return listActions().map(({ name, path, declared }) => ({
    name,
    path,
    input: Object.keys(declared.input?.fields ?? {}),
  }));
}

function fillPath({ name, path }: NamedAction, ids: readonly string[]): string {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
  if (ids.length !== parameters.length)
    throw new UsageError(`${name} takes ${parameters.join(' ')}, as in ${path}.`);
  const strange = ids.find((id) => !/^\w+$/.test(id));
  if (strange !== undefined) throw new UsageError(`"${strange}" is neither an id nor a number.`);
  let next = 0;
  return path.replace(/\{\w+\}/g, () => ids[next++] ?? '');
}

function readInput({ name, declared }: NamedAction, given: readonly string[]): object {
  const fields = declared.input?.fields ?? {};
  return Object.fromEntries(
    given.map((text) => {
      const [member = '', ...rest] = text.split('=');
      const field = Object.hasOwn(fields, member) ? fields[member] : undefined;
      if (field === undefined) {
        const known = Object.keys(fields);
        const accepted = known.length === 0 ? 'takes no input' : `takes the input ${known.join(', ')}`;
        throw new UsageError(`${name} ${accepted}, not "${member}".`);
      }
      return [member, readValue(field, rest.join('='))];
    }),
  );
}

/** Texts, ids and instants as they are; other values as JSON. */
function readValue({ kind }: Field, text: string): unknown {
  if (kind === 'text' || kind === 'instant' || kind === 'uuid') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`"${text}" is not JSON.`);
  }
}
