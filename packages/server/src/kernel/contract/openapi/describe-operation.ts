/** What the documents of all interfaces say in the same way: their server, their operations and the bodies that those take. */
import type { OperationDescription } from '../../http/operation.ts';
import { reference, type Schemas } from '../../http/schemas.ts';
import { requestSchema } from './field-schemas.ts';
import { bytes, textFile } from './responses.ts';

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

/** The components of the bodies that operations take. Where two take the same one, the first describes it. */
export function describeBodies(operations: readonly OperationDescription[]): Schemas {
  const bodies = operations.flatMap(({ body, summary }) =>
    body === null
      ? []
      : [
          [
            body.schemaName,
            {
              description: `Body of "${summary}".`,
              ...requestSchema(body.documented ?? body.schema),
              examples: [body.example],
            },
          ] as const,
        ],
  );
  return Object.fromEntries(
    bodies.filter(([name], index) => bodies.findIndex(([first]) => first === name) === index),
  );
}

/**
 * The server of a document. Its URL is absolute, because code generators copy it into the clients that they make. Without
 * `TRELLIS_BASE_URL` it is the address of this machine on itself, as a number: linters take the name for a forgotten example.
 */
export function describeServer(address: string): Record<string, unknown> {
  const url = address.replace(/(?<=^https?:\/\/)localhost(?=[:/]|$)/, '127.0.0.1');
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

/**
 * The request body of an upload. Only the form is declared: the clients of some code generators send a text such as `{}` for bytes, and those
 * of others do not compile with a choice of two types.
 */
const contentBody = {
  required: true,
  description:
    'The content, byte for byte, of any type; at most 100 MiB unless the operator has set another limit. It is the only part of a form; or it is the body itself, as `application/octet-stream` or with its own media type, such as `image/png`. As JSON it is refused, because programs send descriptions of files as JSON.',
  content: {
    'multipart/form-data': {
      example: { file: textFile },
      schema: {
        type: 'object',
        description: 'A form with one file.',
        properties: {
          file: bytes(
            'The content. Its `filename` becomes the name of the file, unless the file has a name already or the parameter `fileName` gives one.',
          ),
        },
        required: ['file'],
        additionalProperties: false,
      },
    },
  },
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
