/** The page /docs/changelogs/visitor-lookup: changes of the shape of the visitor lookup, for people. */
import type { Page } from '../../../kernel/contract/documentation/page.ts';
import { visitorLookupChanges } from './changelog.ts';

/** Where the page is shown. */
export const changelogPath = '/docs/changelogs/visitor-lookup';

/** The page, the newest change first. */
export const changelogPage: Page = {
  title: 'Changelog of the visitor lookup',
  blocks: [
    {
      kind: 'paragraph',
      text: 'Every change of the shape of a visitor and of an identify call, the newest first. Programs read the same at `GET /v1/changelogs/visitor-lookup`, with a token of any scope.',
    },
    {
      kind: 'table',
      caption: 'Changes of the visitor lookup',
      columns: ['Date', 'Kind', 'Members', 'Change'],
      rows: visitorLookupChanges.map(({ date, kind, members, summary }) => [
        date,
        kind,
        members.map((member) => `\`${member}\``).join(', '),
        summary,
      ]),
    },
  ],
};
