/** The pages about errors and permissions, generated from the declarations that are in force. */

import { type ProblemCode, problemCatalogue } from '@trellis/schema/problem.ts';
import { resources } from '@trellis/schema/resources/index.ts';
import { actions } from '@trellis/schema/resources/resource.ts';
import { grantOf, permissions, roles } from '@trellis/schema/rights/permissions.ts';
import { canBePublished, rightsOfRemoval, rightsOfUpdate } from '@trellis/schema/rights/publishing-rights.ts';
import { scopes } from '@trellis/schema/rights/scopes.ts';
import { nearestName } from '@trellis/schema/values/text.ts';
import { problemExample } from '../openapi/problem-examples.ts';
import type { Block, Page } from './page.ts';

const catalogue = Object.entries(problemCatalogue);

/** Whether a text is a code of the catalogue. */
export function isProblemCode(text: string): text is ProblemCode {
  return Object.hasOwn(problemCatalogue, text);
}

/** The page with the whole catalogue of errors. */
export function errorsPage(): Page {
  return {
    title: 'Errors',
    blocks: [
      {
        kind: 'paragraph',
        text: 'Every error response has the body `application/problem+json` (RFC 9457). Programs should use `code`, which never changes; `title` and `detail` are for people. The member `type` is the address of a page with the text of a section below.',
      },
      {
        kind: 'table',
        caption: 'All codes',
        columns: ['Code', 'Status', 'What happened'],
        rows: catalogue.map(([code, { status, title }]) => [
          `[\`${code}\`](#${code})`,
          String(status),
          title,
        ]),
      },
      ...catalogue.flatMap(([code, { status, title, help }]): Block[] => [
        { kind: 'heading', text: code },
        { kind: 'paragraph', text: `Status ${status}. ${title}.` },
        { kind: 'paragraph', text: help },
      ]),
    ],
  };
}

/** The page that the `type` of a problem links to. */
export function errorPage(code: ProblemCode, origin: string): Page {
  const { title, status, help } = problemCatalogue[code];
  return {
    title,
    blocks: [
      { kind: 'paragraph', text: `Code \`${code}\`, status ${status}.` },
      { kind: 'heading', text: 'What happened and what to do' },
      { kind: 'paragraph', text: help },
      { kind: 'heading', text: 'Example' },
      { kind: 'example', language: 'json', text: JSON.stringify(problemExample(code, origin), null, 2) },
      { kind: 'paragraph', text: '[All errors](/docs/errors)' },
    ],
  };
}

/** The page for a code that the catalogue does not have. */
export function unknownErrorPage(code: string): Page {
  const nearest = nearestName(code, Object.keys(problemCatalogue));
  return {
    title: 'Unknown error code',
    blocks: [
      {
        kind: 'paragraph',
        text:
          nearest === null
            ? 'This server never returns an error with this code.'
            : `This server never returns an error with this code. Did you mean [${nearest}](/docs/errors/${nearest})?`,
      },
      { kind: 'paragraph', text: '[All errors](/docs/errors)' },
    ],
  };
}

/** The page with the rights of each role and scope. */
export function permissionsPage(): Page {
  const publishable = resources.filter(canBePublished);
  const rows = Object.keys(permissions).flatMap((resource) =>
    actions
      .filter((action) => action !== 'publish' || publishable.some(({ name }) => name === resource))
      .filter((action) => roles.some((role) => grantOf(role, resource, action) !== null))
      .map((action) => [
        `${resource}: ${action}`,
        ...roles.map((role) => grantNames[grantOf(role, resource, action) ?? 'none']),
      ]),
  );
  return {
    title: 'Permissions',
    blocks: [
      {
        kind: 'paragraph',
        text: 'A call needs three things: a token with the scope, the module switched on in the organization, and a role with the permission. All three are checked for every call; a change takes effect on the next write, and within two seconds for reads.',
      },
      { kind: 'heading', text: 'Roles' },
      {
        kind: 'paragraph',
        text: '"own" means only records that the user created.',
      },
      {
        kind: 'table',
        caption: 'Permissions of each role',
        columns: ['Resource and action', ...roles],
        rows,
      },
      { kind: 'heading', text: 'What readers see' },
      {
        kind: 'paragraph',
        text: 'Changing what readers see requires the permission to publish. Drafts are not visible to readers, so changing one requires the permission to update only.',
      },
      {
        kind: 'table',
        caption: 'What an update or a deletion requires in addition',
        columns: ['Resource', 'Update', 'Deletion'],
        rows: publishable.map((resource) => [
          resource.name,
          rightsOfUpdate(resource).join(' '),
          rightsOfRemoval(resource).join(' '),
        ]),
      },
      { kind: 'heading', text: 'Scopes' },
      {
        kind: 'table',
        caption: 'What each scope of a token allows',
        columns: ['Scope', 'Opens'],
        rows: Object.entries(scopes).map(([scope, text]) => [`\`${scope}\``, text]),
      },
    ],
  };
}

const grantNames = { all: 'yes', own: 'own', none: 'no' } as const;
