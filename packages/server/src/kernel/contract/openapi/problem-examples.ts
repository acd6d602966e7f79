/** Examples of problems, for the OpenAPI document and the pages under /docs/errors. */
import { type Fault, type ProblemCode, problemCatalogue } from '@trellis/schema/problem.ts';
import { exampleId } from '../../http/schemas.ts';

interface ExampleDetails {
  readonly detail: string;
  readonly errors?: readonly Fault[];
  readonly members?: Readonly<Record<string, unknown>>;
}

/** The detail, faults and members of each example, in addition to the catalogue's entry for its code. */
const exampleDetails: Readonly<Partial<Record<ProblemCode, ExampleDetails>>> = {
  malformed_json: {
    detail: 'Line 1, column 17: Unexpected end of input.',
    members: { position: 16, line: 1, column: 17 },
  },
  malformed_form: { detail: 'The form cannot be read: Unexpected end of multipart data.' },
  digest_mismatch: {
    detail: 'Content-Digest: the received content has another sha-256.',
    errors: [
      { header: 'Content-Digest', code: 'mismatch', detail: 'The received content has another sha-256.' },
    ],
  },
  invalid_parameter: {
    detail: 'limit: Must be a whole number from 1 to 100.',
    errors: [{ parameter: 'limit', code: 'invalid', detail: 'Must be a whole number from 1 to 100.' }],
  },
  unknown_parameter: {
    detail: 'Unknown parameter "limt". Did you mean "limit"?',
    errors: [
      {
        parameter: 'limt',
        code: 'unknown_parameter',
        detail: 'Unknown parameter "limt". Did you mean "limit"?',
      },
    ],
  },
  idempotency_key_required: {
    detail: 'The Idempotency-Key header is missing.',
    errors: [
      { header: 'Idempotency-Key', code: 'required', detail: 'Send a fresh random value, such as a UUID.' },
    ],
  },
  idempotency_key_invalid: {
    detail: 'The Idempotency-Key header is malformed.',
    errors: [
      { header: 'Idempotency-Key', code: 'format', detail: 'Must be 1 to 255 visible ASCII characters.' },
    ],
  },
  invalid_header: {
    detail: 'A request header has an invalid value.',
    errors: [{ header: 'If-Match', code: 'format', detail: 'Must be * or a list of quoted entity tags.' }],
  },
  insufficient_scope: {
    detail: 'The token needs the scopes: articles:write.',
    members: { requiredScopes: ['articles:write'] },
  },
  module_disabled: { detail: 'The module "cms" is switched off in this organization.' },
  permission_denied: { detail: 'The role VIEWER may not create articles.' },
  origin_not_allowed: {
    detail: 'The key is not valid for pages of https://shop.example.com.',
    errors: [
      {
        header: 'Origin',
        code: 'origin',
        detail: 'The key is not valid for pages of https://shop.example.com.',
      },
    ],
  },
  method_not_allowed: { detail: 'Allowed: GET, POST, HEAD.' },
  conflict: {
    detail: 'Another record already has this slug.',
    errors: [{ pointer: '/articleData/slug', code: 'conflict', detail: 'This value is already taken.' }],
    members: { field: 'articleData.slug', existingId: exampleId('art') },
  },
  ambiguous_match: { detail: 'Several records match.', members: { existingIds: [exampleId('con')] } },
  reference_gone: {
    detail: `The record ${exampleId('site')} is in the trash. Restore it first.`,
    errors: [
      {
        pointer: '/siteId',
        code: 'reference_gone',
        detail: `The record ${exampleId('site')} is in the trash. Restore it first.`,
      },
    ],
  },
  invalid_transition: {
    detail:
      'A version cannot move from DRAFT to APPROVED, only to IN_REVIEW, SCHEDULED, PUBLISHED, ARCHIVED.',
    errors: [
      {
        pointer: '/versionData/status',
        code: 'invalid_transition',
        detail: 'Allowed: IN_REVIEW, SCHEDULED, PUBLISHED, ARCHIVED.',
      },
    ],
    members: {
      from: 'DRAFT',
      to: 'APPROVED',
      allowed: ['IN_REVIEW', 'SCHEDULED', 'PUBLISHED', 'ARCHIVED'],
    },
  },
  in_use: {
    detail: 'Still used by 3 articles.',
    members: { usedBy: [{ resource: 'articles', count: 3 }] },
  },
  last_console: {
    detail:
      'This is the last active client of the kind CONSOLE, without which nobody can use the console. Create another one first.',
  },
  last_owner: { detail: 'This is the last active owner: make somebody else an owner first.' },
  quota_reached: { detail: 'An organization has at most 50 webhook endpoints.' },
  version_mismatch: { detail: 'The record is at version 4.', members: { currentVersion: 4 } },
  validation_failed: {
    detail: '/versionData/title: This field is required.',
    errors: [{ pointer: '/versionData/title', code: 'required', detail: 'This field is required.' }],
  },
  unknown_field: {
    detail: '/versionData/titel: Unknown field "titel". Did you mean "title"?',
    errors: [
      {
        pointer: '/versionData/titel',
        code: 'unknown_field',
        detail: 'Unknown field "titel". Did you mean "title"?',
      },
    ],
  },
  empty_patch: {
    detail: '/versionData/seo: Must have at least one supported field.',
    errors: [
      { pointer: '/versionData/seo', code: 'empty_patch', detail: 'Must have at least one supported field.' },
    ],
  },
  reference_not_found: {
    detail: '/articleData/tagIds/0: No such record here.',
    errors: [{ pointer: '/articleData/tagIds/0', code: 'reference_not_found', detail: 'No such record.' }],
  },
  cursor_invalid: {
    detail: 'The cursor cannot be read.',
    errors: [{ parameter: 'cursor', code: 'cursor', detail: 'Start again without a cursor.' }],
  },
  cursor_mismatch: {
    detail: 'The cursor belongs to another query.',
    errors: [{ parameter: 'cursor', code: 'cursor', detail: 'Start again without a cursor.' }],
  },
  rate_limited: { detail: 'The limit of the token is 30000 requests a minute.' },
  internal_error: { detail: 'An unexpected error occurred. Nothing was changed.' },
};

/** The body of a problem with that code. `origin`: scheme, host and port of the server. */
export function problemExample(code: ProblemCode, origin: string): Record<string, unknown> {
  const { title, status } = problemCatalogue[code];
  const { detail = `${title}.`, errors = [], members = {} } = exampleDetails[code] ?? {};
  return {
    type: `${origin}/docs/errors/${code}`,
    title,
    status,
    detail,
    instance: `/v1/sites/${exampleId('site')}/articles`,
    code,
    requestId: '01977f2e-8b5a-7c3d-9e10-5d2f8a6b7c90',
    errors,
    ...members,
  };
}
