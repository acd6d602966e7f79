/** What the documents of all interfaces say in the same way: their server, their operations and the bodies that those take. */
import type { OperationDescription } from '../../http/operation.ts';
import { reference, type Schemas } from '../../http/schemas.ts';
import { requestSchema } from './field-schemas.ts';
import { anyContent } from './responses.ts';

/** What an interface says about an operation besides. */
interface Details {
  /** What callers need, at the end of the description. */
  readonly needs?: string;
  /** Further members, such as `security`. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly parameters: readonly unknown[];
  readonly responses: Readonly<Record<string, unknown>>;
}

/** An operation in a document. */
export function describeOperation(
  operation: OperationDescription,
  { needs, members, parameters, responses }: Details,
): Record<string, unknown> {
  const { operationId, tag, summary, description } = operation;
  return {
    operationId,
    tags: [tag],
    summary,
    description: needs === undefined ? description : `${description}\n\n${needs}`,
    ...members,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...requestBodyOf(operation),
    responses,
  };
}

/** The section `paths` of a document. */
export function describePaths<O extends OperationDescription>(
  operations: readonly O[],
  describe: (operation: O) => Record<string, unknown>,
): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(operation) };
  }
  return paths;
}

/** The components of the bodies that operations take. */
export function describeBodies(operations: readonly OperationDescription[]): Schemas {
  const bodies = operations.flatMap(({ body, summary }) =>
    body === null
      ? []
      : [
          [
            body.schemaName,
            { description: `Body of "${summary}".`, ...requestSchema(body.schema), examples: [body.example] },
          ] as const,
        ],
  );
  return Object.fromEntries(bodies);
}

/** The server of a document: relative for a local origin, because the name of this machine means nothing elsewhere. */
export function describeServer(origin: string): Record<string, unknown> {
  const url = new URL(origin).hostname === 'localhost' ? '/' : origin;
  return { url, description: 'The server that this document describes.' };
}

/** The parameters in the path. */
export function pathParametersOf({ pathParameters }: OperationDescription): Record<string, unknown>[] {
  return pathParameters.map(({ name, description, schema, example }) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema,
    example,
  }));
}

/** The request body of an upload. */
const contentBody = {
  required: true,
  description:
    'The content, byte for byte, of any type; at most 100 MiB unless the operator has set another limit.',
  content: anyContent,
};

function requestBodyOf({ body, acceptsContent }: OperationDescription): { requestBody?: unknown } {
  if (acceptsContent === true) return { requestBody: contentBody };
  if (body === null) return {};
  const content = { schema: reference(body.schemaName), example: body.example };
  return {
    requestBody: {
      ...(body.description === undefined ? {} : { description: body.description }),
      required: true,
      content: Object.fromEntries(body.mediaTypes.map((type) => [type, content])),
    },
  };
}
