/** The operations that a resource declares and code completes: its creations and updates, where they do more than to the record, and its actions. */

import { Problem } from '@trellis/schema/problem.ts';
import { type ActionDeclaration, type InputOf, shownOnceName } from '@trellis/schema/resources/actions.ts';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { createBodySchema } from '@trellis/schema/validation/body-schemas.ts';
import { createBodyCheck } from '@trellis/schema/validation/check-body.ts';
import { refuseFaults } from '@trellis/schema/validation/faults.ts';
import type { Input } from '@trellis/schema/validation/input.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import type { Model } from '../pipeline/model.ts';
import type { Target } from '../pipeline/storage.ts';
import type { Plan } from '../pipeline/write/plan.ts';
import { type PlanAdditions, planCreate, planUpdate, type ResponseShape } from '../pipeline/write/plans.ts';
import { acceptInput, handleWrite, pathNumber, type WriteParts } from './calls.ts';
import type { HttpContext } from './context.ts';
import type { Call, Operation, OperationResponse, PathParameter } from './operation.ts';
import { itemOf, placeOf, requirementOf, type SharedOperations, targetOf } from './resource-operations.ts';
import { idParameter, numberParameter } from './resource-parameters.ts';
import { exampleOf } from './schemas.ts';

type Part = NonNullable<ActionDeclaration['part']>;
type Actions = Readonly<Record<string, ActionDeclaration>>;

/** A request for an action, from which its plan is made. */
interface ActionRequest<Body> {
  readonly call: Call;
  readonly target: Target;
  /** Of the part that the action is done to: the uuid of its id, or the digits of its number. Empty for the record as a whole. */
  readonly part: string;
  readonly input: Body;
  readonly shape: ResponseShape;
}

/** What the declaration of a resource cannot express. */
interface OwnCode<A extends Actions> {
  /** What a creation makes besides the record. */
  readonly creation?: (request: {
    readonly call: Call;
    readonly place: Omit<Target, 'id'>;
    readonly input: Input;
  }) => PlanAdditions | Promise<PlanAdditions>;
  /** What an update checks or does besides. */
  readonly update?: (request: {
    readonly call: Call;
    readonly input: Input;
  }) => PlanAdditions | Promise<PlanAdditions>;
  readonly actions: {
    readonly [K in keyof A]: (request: ActionRequest<InputOf<A[K]>>) => Plan | Promise<Plan>;
  };
  /** Opens what is shown once, which is sealed in the stored response. @param id of the record, uuid */
  readonly open?: (sealed: string, organizationId: string, id: string) => string;
  /** Called when a response shows something once, before it is opened. */
  readonly shown?: (call: Call, response: OperationResponse) => void;
}

/** Makes the operations, by their names. @throws Error if the resource declares a secret that the code does not open */
export function ownOperations<A extends Actions>(
  context: HttpContext,
  model: Model,
  shared: SharedOperations,
  declared: { readonly actions?: A },
  code: OwnCode<A>,
): Readonly<Record<string, Operation>> {
  const { resource } = model;
  const { creation, update, actions, open, shown } = code;
  // Responses would show it sealed.
  if (resource.secret !== undefined && open === undefined)
    throw new Error(`${resource.name}: the code does not open the secret that the declaration names.`);
  /** The handler of a write whose response may show something once. */
  const handler = (showsOnce: boolean, plan: (call: Call, parts: WriteParts) => Plan | Promise<Plan>) => {
    return async (call: Call): Promise<OperationResponse> => {
      const response = await handleWrite(context, call, (parts) => plan(call, parts));
      if (!showsOnce || open === undefined) return response;
      shown?.(call, response);
      return reveal(resource, call, response, open);
    };
  };
  const made: Record<string, Operation> = {};
  if (creation !== undefined) {
    made.create = {
      ...shared.create,
      handle: handler(true, async (call, { body, minimal }) => {
        const input = acceptInput(model.input.create(body));
        const place = placeOf(resource, call);
        const additions = await creation({ call, place, input });
        return planCreate(context.models, model, place, input, { minimal }, additions);
      }),
    };
  }
  if (update !== undefined) {
    made.update = {
      ...shared.update,
      handle: handler(false, async (call, { body, minimal }) => {
        const input = acceptInput(model.input.patch(body));
        const target = targetOf(resource, call);
        return planUpdate(model, target, input, { minimal }, await update({ call, input }));
      }),
    };
  }
  for (const [name, action] of Object.entries(declared.actions ?? {}) as [keyof A & string, A[keyof A]][]) {
    const { body, read } = bodyOf<InputOf<A[keyof A]>>(action);
    const plan = actions[name];
    made[name] = {
      ...describeAction(resource, name, action),
      body,
      handle: handler(action.returns === 'secret', (call, parts) =>
        plan({
          call,
          input: read(parts.body),
          target: targetOf(resource, call),
          part: partOf(action, call),
          shape: { minimal: parts.minimal },
        }),
      ),
    };
  }
  return made;
}

function describeAction(
  resource: Resource,
  operationId: string,
  action: ActionDeclaration,
): Omit<Operation, 'body' | 'handle'> {
  const {
    path,
    part,
    summary,
    description,
    right,
    needsRecentSignIn,
    input,
    returns,
    response = 'The record after the change.',
    problems = [],
  } = action;
  const item = itemOf(resource);
  const isOther = typeof returns === 'object';
  return {
    operationId,
    method: 'POST',
    path: `${item.path}/${path}`,
    tag: resource.title.plural,
    summary,
    description,
    requirement: { ...requirementOf(resource, right), ...(needsRecentSignIn ? { needsRecentSignIn } : {}) },
    pathParameters: [...item.parameters, ...(part === undefined ? [] : [partParameter(part)])],
    queryParameters: [],
    conditional: false,
    success: {
      status: 200,
      description: response,
      schemaName: isOther
        ? returns.schemaName
        : returns === 'secret'
          ? shownOnceName(resource)
          : resource.title.singular,
      headers: [...(isOther ? [] : (['ETag'] as const)), 'Idempotent-Replayed', 'Preference-Applied'],
    },
    problems: [
      'version_mismatch',
      ...problems,
      ...(input === undefined ? [] : (['validation_failed', 'unknown_field'] as const)),
    ],
  };
}

function partParameter({ parameter, description, id }: Part): PathParameter {
  return id === undefined
    ? numberParameter(parameter, description)
    : idParameter(parameter, id.resource, id.prefix, description);
}

/** @throws Problem not_found for what is the id or number of nothing */
function partOf({ part }: ActionDeclaration, call: Call): string {
  if (part === undefined) return '';
  if (part.id === undefined) return pathNumber(call, part.parameter);
  const id = decodeId(part.id.prefix, call.params[part.parameter] ?? '');
  if (id === null) throw new Problem('not_found');
  return id;
}

/** The body of an action, and what reads it. */
function bodyOf<Body>({ input }: ActionDeclaration) {
  // An action without a body is sent none, see `readNoBody`.
  if (input === undefined) return { body: null, read: () => ({}) as Body };
  const schema = createBodySchema(input);
  const check = createBodyCheck(schema);
  return {
    body: {
      schemaName: input.schemaName,
      schema,
      mediaTypes: ['application/json'],
      example: exampleOf(Object.entries(schema.properties ?? {})),
    },
    /** @throws Problem validation_failed, unknown_field */
    read: (sent: unknown): Body => {
      const checked = check(sent);
      refuseFaults(checked.faults);
      return checked.body as Body;
    },
  };
}

/** Opens what is shown once for the caller. */
function reveal(
  { secret, idPrefix }: Resource,
  call: Call,
  response: OperationResponse,
  open: (sealed: string, organizationId: string, id: string) => string,
): OperationResponse {
  if (secret === undefined || typeof response.body !== 'string') return response;
  const record = JSON.parse(response.body);
  const id = decodeId(idPrefix, record.id) ?? '';
  const opened = open(record[secret.member], call.credentials.organizationId, id);
  return { ...response, body: JSON.stringify({ ...record, [secret.member]: opened }) };
}
