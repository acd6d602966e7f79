/** The loading of public pictures in the tenant API's document. It differs from other operations: it needs no token, and is no JSON. */
import type { ProblemCode } from '@trellis/schema/problem.ts';
import { describeOperation, pathParametersOf } from '../../../kernel/contract/openapi/describe-operation.ts';
import { headersOf, problemResponses } from '../../../kernel/contract/openapi/responses.ts';
import type { pictureOperation } from './pictures.ts';

/** Every code that the operation can return. */
const problems: readonly ProblemCode[] = [
  'invalid_parameter',
  'unknown_parameter',
  'invalid_header',
  'not_found',
  'internal_error',
  'overloaded',
  'storage_unavailable',
  'database_unavailable',
];

const location =
  '/pictures/org_01h455vb4pex5vsknk084sn02q/kf_01h455vb4pex5vsknk084sn02q/e3b0c44298fc1c149afbf4c8996fb924?w=640';

/** The operation in the document. */
export function describePicture(operation: typeof pictureOperation): Record<string, unknown> {
  const { success, queryParameters } = operation;
  return describeOperation(operation, {
    needs: 'Requires no token.',
    members: { security: [] },
    parameters: [
      ...pathParametersOf(operation),
      ...queryParameters.map((parameter) => ({ ...parameter, in: 'query' })),
      { $ref: '#/components/parameters/IfNoneMatch' },
      { $ref: '#/components/parameters/RequestId' },
    ],
    responses: {
      [success.status]: {
        description: success.description,
        headers: headersOf(['ETag', 'X-Content-Type-Options', 'Content-Security-Policy']),
        content: { 'image/*': { schema: {}, example: 'The bytes of the picture.' } },
      },
      307: {
        description: 'The picture was replaced. `Location` is the address of its present content.',
        headers: {
          Location: {
            description: 'Path of the picture, with the same parameters.',
            schema: { type: 'string' },
            example: location,
          },
        },
      },
      304: { description: 'Your copy is current.', headers: headersOf(['ETag']) },
      ...problemResponses(problems),
    },
  });
}
