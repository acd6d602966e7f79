/** The introduction of the OpenAPI document: what holds for all operations. */

import { resources } from '@trellis/schema/resources/index.ts';
import { limits } from '@trellis/schema/resources/limits.ts';
import { formats } from '@trellis/schema/validation/formats.ts';
import { maxCombiningMarks } from '@trellis/schema/values/text.ts';
import type { DescribedApi } from '../described-api.ts';
import { limitsTable } from '../documentation/limits-page.ts';
import { type Block, markdownOf } from '../documentation/page.ts';
import { isOwnFormat } from './field-schemas.ts';

/** The introduction as Markdown. `origin`: scheme, host and port of the server. */
export function introduction(origin: string): string {
  return introductionBlocks(origin).map(markdownOf).join('\n\n');
}

/** The introduction as blocks of a page. `origin`: as above, or empty for links on the same server. */
export function introductionBlocks(origin: string): Block[] {
  const paragraph = (text: string): Block => ({ kind: 'paragraph', text });
  return [
    ...introductionText(origin).split('\n\n').map(paragraph),
    formatsTable(),
    paragraph(`**Limits.** Of single fields and of requests a minute, see [Limits](${origin}/docs/limits).`),
    limitsTable(),
  ];
}

function introductionText(origin: string): string {
  return `The tenant API of Trellis. Everything is JSON over HTTP.

**Authentication.** Send \`Authorization: Bearer <token>\`. A token belongs to one organization, user and client and has scopes; an operator creates one with \`trellis token create\`. The description of each operation says what it requires. See [Permissions](${origin}/docs/permissions).

**Records.** A record is returned bare and complete: absent optional values are \`null\`, not missing. Ids have a prefix that tells their kind. Instants are RFC 3339 in UTC with milliseconds. New members may be added to responses at any time, so ignore those you do not know; bodies, however, may have only the documented fields.

**Texts.** Texts are kept in Unicode normalization form C and without white space at their ends, unless their description says otherwise; lengths are in code points. An empty text in a field that may be null is null. A text with more than ${maxCombiningMarks} combining marks in a row is refused. Web addresses are kept in ASCII, as browsers send them.

**Writing.** Every POST, PUT, PATCH and DELETE requires an \`Idempotency-Key\`, except identifying a visitor. With the key, a write can be sent again after a timeout without being carried out twice: a retry of a finished write returns the same response with \`Idempotent-Replayed: true\`. Failed writes store nothing and can be corrected and sent again with the same key. Make a key for each write that is meant, such as a random UUID, and store it with what is to be sent: a key that is made of the content alone loses the third of the changes A → B → A, which gets the response of the first. \`If-Match\` prevents overwriting changes of others. \`GET …/{id}/history\` lists the changes of a record with the values before and after, \`…/history/{version}\` is the record as it was: restore what you need by a PATCH.

**Sending a record back.** A PATCH should contain only the fields that change. To send back a whole record, leave out its read-only fields, also inside groups and list items: \`id\`, the id of the parent (such as \`siteId\`), \`version\`, \`createdAt\`, \`updatedAt\`, \`createdBy\`, \`updatedBy\`, and all other fields that the schema of the PATCH body does not have. A read-only field in a body is 422 \`unknown_field\`, and the error names it. Send the version in a header instead: \`If-Match: "4"\`. Every object in a PATCH needs at least one field; \`{}\` is 422 \`empty_patch\`.

**Lists.** A page has \`items\` and \`pageInfo\`. Send \`pageInfo.nextCursor\` as \`cursor\` for the next page until it is null. Filters, search text and sort must stay the same between pages. Besides filters by equality, which take several values, separated by commas or in repeated parameters, where a field is a choice, a reference or a language, every field has those of its kind: \`NAME[exists]=false\` for records without a value, \`NAME[contains]\` for a part of a short text, \`NAME[gte]\`, \`[gt]\`, \`[lte]\` and \`[lt]\` for instants, dates and numbers. \`fields\` selects members of the records; \`ids\`, and \`externalId\`, which is repeated for each key, choose records. \`include\` returns in \`included\` what the records refer to, by resource: each record once, as its own read would return it, and only what the caller may read. At most ${limits.includedRecords} records and as many bytes as a page has are included; \`included.omitted\` has the ids of the others, which \`ids\` reads. Lists have no total: \`GET …/counts?by=status\` says how many records there are with each value of a closed choice, with the filters and \`search\` of the list. Counting is bounded, and a count that may be larger has \`isExact: false\`.

**Reading what was written.** Reads see everything that was committed before, unless the installation has replicas and you allow them: send \`Trellis-Read-After\` with reads, and rows may be two seconds old. It has the values of this header from the responses of your writes of the last three seconds, separated by commas, and is \`none\` if there are none, so your own writes are always seen. Send \`now\` when you read because of an event. A token whose scopes all end in \`:read\` allows it without the header.

**Errors.** Every failure is \`application/problem+json\` (RFC 9457) with a stable \`code\`. See [Errors](${origin}/docs/errors).

**Formats.** Beside the standard ones, which \`format\` names, there are these in \`x-format\`. \`x-max-bytes\` is a limit in bytes of UTF-8, \`x-max-folded-length\` one in characters after case, accents and signs that stand for several letters are written out.`;
}

/** The formats that OpenAPI does not define, with the message for a text that does not match. */
function formatsTable(): Block {
  const rows = Object.entries(formats)
    .filter(([name]) => isOwnFormat(name))
    .map(([name, { detail }]) => [`\`${name}\``, detail]);
  return { kind: 'table', caption: 'Formats of texts', columns: ['Format', 'Rule'], rows };
}

/** The tags in use, in the order of the operations. */
export function tagsOf({ operations, features }: DescribedApi): { name: string; description: string }[] {
  const otherTags: Readonly<Record<string, string>> = Object.assign(
    { Meta: 'About the API itself.' },
    ...features.map(({ tags }) => tags),
  );
  return [...new Set(operations.map(({ tag }) => tag))].map((name) => {
    const description = resources.find(({ title }) => title.plural === name)?.description ?? otherTags[name];
    if (description === undefined) throw new Error(`the tag ${name} has no description`);
    return { name, description };
  });
}
