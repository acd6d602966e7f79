/** The introduction of the OpenAPI document: what holds for all operations. */

import { resources } from '@trellis/schema/resources/index.ts';
import { formats } from '@trellis/schema/validation/formats.ts';
import { maxCombiningMarks } from '@trellis/schema/values/text.ts';
import type { Operation } from '../../http/operation.ts';
import { markdownOf } from '../documentation/page.ts';
import { limitsTable } from '../documentation/pages.ts';
import { documentedFormat } from './field-schemas.ts';

/** What a reader must know before the first call, as Markdown. */
export function introduction(origin: string): string {
  return `The tenant API of Trellis. Everything is JSON over HTTP.

**Authentication.** Send \`Authorization: Bearer <token>\`. A token belongs to one organization, user and client and has scopes; an operator makes one with \`trellis token create\`. What each operation needs stands in its description. See [Permissions](${origin}/docs/permissions).

**Records.** A record is returned bare and complete: absent optional values are \`null\`, not missing. Ids have a prefix that tells their kind. Instants are RFC 3339 in UTC with milliseconds. New members may be added to answers at any time, so ignore those you do not know; bodies, however, may have only the documented fields.

**Texts.** Texts are kept in Unicode normalization form C and without white space at their ends, unless their description says otherwise; lengths are in code points. An empty text in a field that may be null is null. A text with more than ${maxCombiningMarks} combining marks in a row is refused. Web addresses are kept in ASCII, as browsers send them.

**Writing.** Every POST, PUT, PATCH and DELETE needs an \`Idempotency-Key\`; identifying a visitor takes none. The key is there so that a write can be sent again after a timeout without being carried out twice. A finished write answers a retry with the stored response and \`Idempotent-Replayed: true\`. Failed writes store nothing and can be mended and sent again under the same key. \`If-Match\` guards against overwriting what somebody else has changed.

**Sending a record back.** A PATCH takes the fields that change, and is best made of these alone. Whoever edits a whole record and sends it back leaves out what is read-only, also inside of groups and of the items of lists: \`id\`, the id of the parent (such as \`siteId\`), \`version\`, \`createdAt\`, \`updatedAt\`, \`createdBy\`, \`updatedBy\`, and whatever else the body of its PATCH does not have. A read-only field in a body is 422 \`unknown_field\`, and the error names it. The version goes into a header instead: \`If-Match: "4"\`. An object that a PATCH names has at least one field; \`{}\` is 422 \`empty_patch\`.

**Lists.** A page has \`items\` and \`pageInfo\`. Send \`pageInfo.nextCursor\` as \`cursor\` for the next page until it is null. Filters, search text and sort must stay the same meanwhile. \`fields\` cuts records down to the named members.

**Errors.** Every failure is \`application/problem+json\` (RFC 9457) with a stable \`code\`. See [Errors](${origin}/docs/errors).

**Formats.** Beside the usual ones there are these. \`x-max-bytes\` is a limit in bytes of UTF-8.

${ownFormats()}

**Limits.** Of single fields and of requests a minute, see [Limits](${origin}/docs/limits).

${markdownOf(limitsTable())}`;
}

/** The formats that are ours under their own names, with what is said of a text that has not the right one. */
function ownFormats(): string {
  return Object.entries(formats)
    .filter(([name]) => name !== 'date-time' && documentedFormat(name) === name)
    .map(([name, { detail }]) => `- \`${name}\`: ${detail}`)
    .join('\n');
}

/** The tags in use, in the order of the operations. */
export function tagsOf(operations: readonly Operation[]): { name: string; description: string }[] {
  return [...new Set(operations.map(({ tag }) => tag))].map((name) => {
    const description = resources.find(({ title }) => title.plural === name)?.description ?? otherTags[name];
    if (description === undefined) throw new Error(`the tag ${name} has no description`);
    return { name, description };
  });
}

/** Tags of operations that belong to no resource. */
const otherTags: Readonly<Record<string, string>> = {
  Events: 'What has happened to records, in order: the log of events.',
  Meta: 'About the API itself.',
  Visitors: 'Browsers that visit a site: who they are taken for, and their erasure.',
};
