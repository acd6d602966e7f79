/**
 * The magazines of the demo: well-known ones, and one of our own whose issues contain the demo articles. Its first issue is
 * published together with its articles; the second one can be.
 */
import type { Issue } from '@trellis/schema/resources/issues.ts';
import type { Magazine } from '@trellis/schema/resources/magazines.ts';
import type { DemoApi, Given } from './api.ts';
import type { DemoSite } from './site.ts';

interface DemoIssue {
  readonly issue: Given<Issue>;
  /** The articles it contains, by their `externalId`. */
  readonly contents: readonly { article: string; section: string; pageStart: string }[];
  readonly moves: readonly Issue['status'][];
}

const magazines: readonly { magazine: Given<Magazine>; issues: readonly DemoIssue[] }[] = [
  {
    magazine: {
      externalId: 'demo-magazine-nature',
      title: 'Nature',
      abbreviatedTitle: 'Nature',
      description: 'A weekly of all sciences.',
      language: 'en',
      publisher: 'Springer Nature',
      websiteUrl: 'https://www.nature.com/',
      issnPrint: '0028-0836',
      issnOnline: '1476-4687',
      frequency: 'WEEKLY',
      startDate: '1869-11-04',
      status: 'ACTIVE',
    },
    issues: [],
  },
  {
    magazine: {
      externalId: 'demo-magazine-pacmpl',
      title: 'Proceedings of the ACM on Programming Languages',
      abbreviatedTitle: 'Proc. ACM Program. Lang.',
      description: 'Research on all aspects of programming languages, free to read.',
      language: 'en',
      publisher: 'Association for Computing Machinery',
      websiteUrl: 'https://dl.acm.org/journal/pacmpl',
      issnOnline: '2475-1421',
      startDate: '2017',
      status: 'ACTIVE',
    },
    issues: [],
  },
  {
    magazine: {
      externalId: 'demo-magazine-byte',
      title: 'BYTE',
      description: 'A monthly about small computers.',
      language: 'en',
      publisher: 'McGraw-Hill',
      issnPrint: '0360-5280',
      frequency: 'MONTHLY',
      startDate: '1975-09',
      endDate: '1998-07',
      status: 'CEASED',
    },
    issues: [
      {
        issue: {
          externalId: 'demo-issue-byte-1981-08',
          title: 'Smalltalk',
          volume: '6',
          number: '8',
          year: 1981,
          coverDate: 'August 1981',
          publicationDate: '1981-08',
          status: 'IN_PRODUCTION',
        },
        contents: [],
        moves: ['PUBLISHED', 'ARCHIVED'],
      },
    ],
  },
  {
    magazine: {
      externalId: 'demo-magazine-digest',
      title: 'Rust Blog Digest (sample)',
      description: 'Posts of the Rust blog, collected. There is no such magazine.',
      frequency: 'SEMIANNUAL',
      startDate: '2026',
      language: 'en',
      status: 'ACTIVE',
    },
    issues: [
      {
        issue: {
          externalId: 'demo-issue-digest-1',
          title: 'Keeping it running',
          volume: '1',
          number: '1',
          year: 2026,
          coverDate: 'Spring 2026',
          publicationDate: '2026-04',
          pageCount: 96,
          accessStatus: 'OPEN',
          status: 'IN_PRODUCTION',
        },
        contents: [
          { article: 'Rustup-1.27.1', section: 'Releases', pageStart: '4' },
          { article: 'mdbook-security-advisory', section: 'Security', pageStart: '31' },
          { article: 'cve-2026-33056', section: 'Security', pageStart: '38' },
        ],
        moves: ['PUBLISHED'],
      },
      {
        issue: {
          externalId: 'demo-issue-digest-2',
          title: 'Saying goodbye',
          volume: '1',
          number: '2',
          year: 2026,
          coverDate: 'Autumn 2026',
          accessStatus: 'SUBSCRIPTION',
          openAccessDate: '2027-10',
          status: 'IN_PRODUCTION',
        },
        contents: [{ article: 'Windows-7', section: 'Releases', pageStart: '4' }],
        moves: [],
      },
    ],
  },
];

/** Creates the magazines and their issues, after the articles of the site. */
export async function seedMagazines(api: DemoApi, site: DemoSite): Promise<void> {
  for (const { magazine, issues } of magazines) {
    const collection = `/magazines/${await api.create('/magazines', magazine)}/issues`;
    for (const { issue, contents, moves } of issues) {
      const entries = contents.map(({ article, ...place }) => ({
        articleId: site.articleIds.get(article),
        ...place,
      }));
      const id = await api.create(collection, { ...issue, contents: entries });
      await api.move(`${collection}/${id}`, moves);
    }
  }
}
