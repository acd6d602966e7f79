/** Declaration of issues of magazines. Publishing an issue publishes its approved articles, all of them or none. */

import type { Fault } from '../problem.ts';
import { findRepeated } from '../validation/repeated.ts';
import { choice, integer, list, nullable, states, text } from './fields.ts';
import { contentGrants } from './grants.ts';
import type { RecordRules } from './record-rules.ts';
import { defineResource, type RecordOf } from './resource.ts';
import {
  coverFile,
  doi,
  files,
  furtherDetails,
  idOf,
  line,
  optional,
  partialDate,
  updatedSince,
} from './shapes.ts';
import type { ValuesOf } from './stored-values.ts';
import { Type } from './type.ts';

const issueStatuses = ['PLANNED', 'IN_PRODUCTION', 'PUBLISHED', 'ARCHIVED'] as const;

const entry = Type.Object(
  {
    articleId: idOf('articles', 'The article, of any site.', 'art'),
    section: optional(line(120), 'Section of the issue.', 'Letters'),
    pageStart: optional(line(16), 'First page, as printed.', '12'),
    pageEnd: optional(line(16), 'Last page, as printed.', '15'),
  },
  {
    additionalProperties: false,
    description: 'One article of the issue.',
    examples: [
      {
        articleId: 'art_01h455vb4pex5vsknk084sn02q',
        section: 'Letters',
        pageStart: '12',
        pageEnd: '15',
      },
    ],
  },
);

export const issues = defineResource({
  name: 'issues',
  singular: 'issue',
  title: { singular: 'Issue', plural: 'Issues' },
  german: {
    singular: 'Ausgabe',
    plural: 'Ausgaben',
    fields: {
      volume: 'Jahrgang',
      year: 'Jahr',
      coverDate: 'Titeldatum',
      accessStatus: 'Zugang',
      openAccessDate: 'Frei zugänglich ab',
      contents: 'Inhalt',
      articleId: 'Artikel',
      section: 'Rubrik',
      pageStart: 'Erste Seite',
      pageEnd: 'Letzte Seite',
      magazineId: 'Zeitschrift',
    },
    values: { SUBSCRIPTION: 'Abonnement', IN_PRODUCTION: 'In Herstellung' },
  },
  description: 'An issue of one magazine, with its contents in order.',
  module: 'publishing',
  idPrefix: 'iss',
  path: '/magazines/{magazineId}/issues',
  scope: 'issues',
  grants: contentGrants,
  events: { published: 'An issue was published, with its articles.' },
  label: 'magazine issues',
  parent: { resource: 'magazines', parameter: 'magazineId', column: 'magazine_id' },
  table: 'issues',
  fields: {
    volume: nullable(
      text({
        max: 32,
        help: { en: 'As printed.', de: 'Wie gedruckt.' },
        description: 'Volume, as printed.',
        example: '12',
      }),
    ),
    number: nullable(
      text({
        max: 32,
        help: {
          en: 'As printed, such as “3-4”. Unique within year and volume.',
          de: 'Wie gedruckt, zum Beispiel „3-4“. Innerhalb von Jahr und Jahrgang eindeutig.',
        },
        description:
          'Number as printed, such as "12", "3-4" or "iii". Together with year and volume it is unique in the magazine.',
        example: '3-4',
      }),
    ),
    year: nullable(integer({ min: 1500, max: 2200, description: 'Year.', example: 2026 })),
    title: nullable(
      text({
        max: 500,
        searchable: 'A',
        help: {
          en: 'Not needed if there is a number or a cover date.',
          de: 'Entbehrlich, wenn es eine Nummer oder ein Titeldatum gibt.',
        },
        description: 'Title. At least one of title, number and coverDate is required.',
        example: 'The sea',
      }),
    ),
    coverDate: nullable(
      text({
        max: 64,
        searchable: 'B',
        help: {
          en: 'As on the cover, such as “Spring 2026”.',
          de: 'Wie auf dem Titel, zum Beispiel „Frühjahr 2026“.',
        },
        description: 'Date as on the cover.',
        example: 'Spring 2026',
      }),
    ),
    publicationDate: partialDate('When it is or was published:', '2026-03-01'),
    pageCount: nullable(integer({ min: 1, max: 20_000, description: 'Number of pages.', example: 96 })),
    doi,
    coverFileId: coverFile,
    fileIds: files,
    accessStatus: nullable(
      choice(['OPEN', 'SUBSCRIPTION'], {
        isStatus: true,
        description: 'Access for readers.',
        example: 'OPEN',
      }),
    ),
    openAccessDate: partialDate('When it becomes free to read:', '2027'),
    contents: list(entry, {
      itemName: { en: 'Entry', de: 'Eintrag' },
      max: 500,
      help: {
        en: 'Approved articles are published together with the issue.',
        de: 'Freigegebene Artikel werden zusammen mit der Ausgabe veröffentlicht.',
      },
      description:
        'Articles in order, each at most once. Publishing the issue publishes those that are APPROVED.',
      example: [
        {
          articleId: 'art_01h455vb4pex5vsknk084sn02q',
          section: 'Letters',
          pageStart: '12',
          pageEnd: '15',
        },
      ],
    }),
    status: states(issueStatuses, {
      initial: ['PLANNED', 'IN_PRODUCTION'],
      allowed: {
        PLANNED: ['IN_PRODUCTION'],
        IN_PRODUCTION: ['PUBLISHED'],
        PUBLISHED: ['ARCHIVED', 'IN_PRODUCTION'],
        ARCHIVED: [],
      },
      published: ['PUBLISHED'],
      events: { PUBLISHED: 'published' },
      help: {
        en: 'Publishing an issue publishes its approved articles as well.',
        de: 'Mit der Ausgabe werden auch ihre freigegebenen Artikel veröffentlicht.',
      },
      description:
        'Status. Setting PUBLISHED also publishes the APPROVED working versions of its articles; if one of them cannot be published, nothing changes. Going back from PUBLISHED to IN_PRODUCTION is a recall, which does not change articles.',
      example: 'PLANNED',
    }),
  },
  sections: [
    { title: { en: 'Issue', de: 'Ausgabe' }, fields: ['volume', 'number', 'year', 'title'] },
    {
      title: { en: 'Publication', de: 'Erscheinen' },
      fields: ['status', 'coverDate', 'publicationDate', 'accessStatus', 'openAccessDate'],
    },
    { title: { en: 'Articles and pages', de: 'Artikel und Seiten' }, fields: ['contents', 'pageCount'] },
    { title: { en: 'Cover and files', de: 'Titelbild und Dateien' }, fields: ['coverFileId', 'fileIds'] },
    furtherDetails('doi', 'externalId'),
  ],
  sideTables: {
    issue_articles: { column: 'article_id', values: ['contents.articleId'] },
    issue_files: { column: 'file_id', values: ['fileIds'] },
  },
  titleField: 'title',
  titleFallbacks: ['coverDate', 'number'],
  unique: {},
  uniqueTogether: { issues_number: ['year', 'volume', 'number'] },
  filters: {
    status: {
      kind: 'choice',
      field: 'status',
      values: issueStatuses,
      isIndexed: true,
      description: 'Status.',
      example: 'PUBLISHED',
    },
    year: { kind: 'integer', field: 'year', min: 1500, max: 2200, description: 'Year.', example: '2026' },
    volume: { kind: 'text', field: 'volume', description: 'Volume, as printed.', example: '12' },
    articleId: {
      kind: 'via',
      table: 'issue_articles',
      description: 'Issues that contain this article.',
      example: 'art_01h455vb4pex5vsknk084sn02q',
    },
    updatedSince,
  },
  furtherRights:
    'Publishing an issue also publishes its APPROVED articles, which requires `articles:publish` if there are any.',
  searchSources: ['issues'],
  searchCursor: true,
  import: {
    columns: [
      {
        to: 'number',
        names: ['number', 'issue', 'issue number', 'issue no', 'no', 'heft', 'heftnummer', 'ausgabe'],
      },
      { to: 'volume', names: ['volume', 'vol'] },
      { to: 'publicationDate', names: ['publication date', 'published', 'date', 'published date'] },
      { to: 'pageCount', names: ['page count', 'pages'] },
    ],
    identity: [
      ['year', 'volume', 'number'],
      ['year', 'number'],
      ['volume', 'number'],
    ],
    namesakes: [['number'], ['coverDate'], ['title']],
    lists: { contents: { main: 'articleId', split: 'items' } },
  },
});

export type Issue = RecordOf<typeof issues>;

type IssueValues = ValuesOf<typeof issues>;

/** Rules of issues: they have a title, a number or a date, and each article once. */
export const issueRules: RecordRules<typeof issues> = {
  check: (values) => [...checkNamed(values), ...checkContents(values)],
};

function checkNamed({ title, number, coverDate }: IssueValues): Fault[] {
  if (title !== null || number !== null || coverDate !== null) return [];
  const detail = 'At least one of title, number and coverDate is required.';
  return [{ pointer: '/title', code: 'required', detail }];
}

function checkContents({ contents }: IssueValues): Fault[] {
  const entries = contents.map(({ articleId }, index) => ({
    value: articleId,
    pointer: `/contents/${index}/articleId`,
  }));
  return findRepeated(entries, () => 'The list has this article already.');
}
