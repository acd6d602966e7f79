/**
 * Declaration of articles, which sites publish. `articleData` belongs to the article and is the same for all versions;
 * `versionData` belongs to one version, and a version that was published never changes.
 */

import {
  articleStates,
  describePublishingTransitions,
  describeTransitions,
  versionStatuses,
  versionTransitions,
} from './article-transitions.ts';
import {
  choice,
  flag,
  forPublishers,
  group,
  instant,
  integer,
  list,
  locale,
  nullable,
  object,
  picture,
  readOnly,
  reference,
  references,
  text,
  verbatimText,
} from './fields.ts';
import { authoredGrants } from './grants.ts';
import { limits } from './limits.ts';
import { defineResource } from './resource.ts';
import { updatedSince } from './shapes.ts';
import { Type } from './type.ts';

const author = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      format: 'name',
      description: 'Name as printed.',
      examples: ['Ada Lovelace'],
    }),
    userId: Type.Optional(
      Type.Union([Type.String({ maxLength: 64 }), Type.Null()], {
        description: 'The member this author is, if any.',
        examples: ['user_01h455vb4pex5vsknk084sn02q'],
        'x-reference': 'users',
      }),
    ),
  },
  { additionalProperties: false, description: 'One author.', examples: [{ name: 'Ada Lovelace' }] },
);

const seo = Type.Object(
  {
    title: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 300 }), Type.Null()], {
        description: 'Title for search engines.',
        examples: ['Trellis 1.0 released'],
      }),
    ),
    description: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 500 }), Type.Null()], {
        description: 'Description for search engines.',
        examples: ['What is new in the first release.'],
      }),
    ),
    noIndex: Type.Optional(
      Type.Boolean({
        description: 'Whether search engines are asked not to list the page.',
        default: false,
        examples: [false],
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Metadata for search engines.',
    examples: [{ title: 'Trellis 1.0 released', noIndex: false }],
  },
);

const scheduleBound = `In the future, at most ${limits.scheduleYears} years ahead.`;

const userExample = 'user_01h455vb4pex5vsknk084sn02q';

const publishedAt = nullable(
  instant({ description: 'When this version was published.', example: '2026-03-01T09:00:00.000Z' }),
);

export const articles = defineResource({
  name: 'articles',
  singular: 'article',
  title: { singular: 'Article', plural: 'Articles' },
  german: {
    singular: 'Artikel',
    plural: 'Artikel',
    publishScope: 'Artikel freigeben, planen, veröffentlichen, zurückziehen und archivieren.',
    fields: {
      articleData: 'Artikeldaten',
      allowComments: 'Kommentare erlaubt',
      categoryIds: 'Kategorien',
      primaryCategoryId: 'Hauptkategorie',
      tagIds: 'Schlagwörter',
      authors: 'Autoren',
      firstPublishedAt: 'Erstmals veröffentlicht',
      'firstPublishedAt[gte]': 'Erstmals veröffentlicht ab',
      'firstPublishedAt[gt]': 'Erstmals veröffentlicht nach',
      'firstPublishedAt[lte]': 'Erstmals veröffentlicht bis',
      'firstPublishedAt[lt]': 'Erstmals veröffentlicht vor',
      featured: 'Hervorgehoben',
      canonicalUrl: 'Kanonische Adresse',
      versionData: 'Fassung',
      summary: 'Zusammenfassung',
      body: 'Text',
      bodyFormat: 'Textformat',
      seo: 'SEO',
      noIndex: 'Nicht indizieren',
      changeNote: 'Änderungsnotiz',
      scheduledFor: 'Geplant für',
      unpublishAt: 'Zurückziehen am',
      returnNote: 'Grund der Rückgabe',
      submittedAt: 'Zur Prüfung eingereicht',
      submittedBy: 'Zur Prüfung eingereicht von',
      returnedAt: 'Zurückgegeben',
      returnedBy: 'Zurückgegeben von',
      versionNumber: 'Fassungsnummer',
      publishedAt: 'Veröffentlicht',
      wordCount: 'Wörter',
      state: 'Veröffentlichungsstatus',
      publishedVersionNumber: 'Veröffentlichte Fassung',
      scheduleError: 'Planungsfehler',
      categoryId: 'Kategorie',
      tagId: 'Schlagwort',
    },
    values: {
      MARKDOWN: 'Markdown',
      HTML: 'HTML',
      IN_REVIEW: 'In Prüfung',
      APPROVED: 'Freigegeben',
      SCHEDULED: 'Geplant',
      SUPERSEDED: 'Abgelöst',
      CHANGED: 'Geändert',
      SCHEDULE_FAILED: 'Planung fehlgeschlagen',
      SUBMITTED: 'Zur Prüfung eingereicht',
      RETURNED: 'Zurückgegeben',
    },
  },
  description: 'An article of one site, with versions, review and scheduled publication.',
  module: 'cms',
  idPrefix: 'art',
  path: '/sites/{siteId}/articles',
  scope: 'articles',
  publishScope: 'Approve, schedule, publish, unpublish and archive articles.',
  grants: authoredGrants,
  events: {
    submitted: 'A version of an article was submitted for review.',
    returned: 'An article in review was sent back to draft; its `versionData.returnNote` says why.',
    approved: 'A version of an article was approved.',
    published: 'A version of an article was published.',
    unpublished: 'An article is no longer published.',
    scheduled: 'An article was scheduled for publication.',
    schedule_failed: 'A scheduled change of an article could not be made.',
  },
  parent: { resource: 'sites', parameter: 'siteId', column: 'site_id' },
  table: 'articles',
  fields: {
    articleData: group('Fields of the article, which are the same for all its versions.', {
      allowComments: flag({ default: false, description: 'Whether readers may comment.', example: true }),
      categoryIds: references('categories', {
        max: 50,
        sameParent: true,
        description: 'Categories of the same site, in order.',
        example: ['cat_01h455vb4pex5vsknk084sn02q'],
      }),
      primaryCategoryId: nullable(
        reference('categories', {
          sameParent: true,
          among: 'articleData.categoryIds',
          help: { en: 'One of the categories above.', de: 'Eine der oben gewählten Kategorien.' },
          description: 'The main category, one of `categoryIds`.',
          example: 'cat_01h455vb4pex5vsknk084sn02q',
        }),
      ),
      tagIds: references('tags', {
        max: 50,
        sameParent: true,
        description: 'Tags of the same site, in order.',
        example: ['tag_01h455vb4pex5vsknk084sn02q'],
      }),
      authors: list(author, {
        itemName: { en: 'Author', de: 'Autor' },
        max: 20,
        description: 'Authors in order.',
        example: [{ name: 'Ada Lovelace' }],
      }),
      slug: text({
        max: 191,
        format: 'slug',
        searchable: 'D',
        help: {
          en: 'Last part of the address, such as “release-notes”. Left empty, it is made from the title.',
          de: 'Letzter Teil der Adresse, zum Beispiel „versionshinweise“. Bleibt das Feld leer, entsteht er aus dem Titel.',
        },
        description: 'Part of the URL, unique in the site. Generated from the title when not given.',
        example: 'trellis-1-0-released',
      }),
      firstPublishedAt: nullable(
        forPublishers(
          instant({
            help: {
              en: 'When readers saw the article for the first time. Left empty, it is set when it is published.',
              de: 'Wann Leser den Artikel zum ersten Mal gesehen haben. Bleibt das Feld leer, wird es beim Veröffentlichen gesetzt.',
            },
            description:
              'When the article was published for the first time; null before. Set by the first publication, unless it was given, and kept by later ones. Giving or changing it requires `articles:publish`.',
            example: '2015-03-04T08:00:00.000Z',
          }),
        ),
      ),
      featured: flag({
        default: false,
        help: {
          en: 'The site may show the article in a prominent place.',
          de: 'Die Website kann den Artikel an auffälliger Stelle zeigen.',
        },
        description: 'Whether the site features the article.',
        example: false,
      }),
      canonicalUrl: nullable(
        text({
          max: 2_000,
          format: 'https-url',
          help: {
            en: 'Address of the original, if this article is a copy.',
            de: 'Adresse des Originals, falls dieser Artikel eine Kopie ist.',
          },
          description: 'URL of the original, if this is a copy.',
          example: 'https://example.com/original',
        }),
      ),
    }),
    versionData: group('Fields of one version. In a record: the working version, or the published one.', {
      title: text({
        max: 255,
        required: true,
        searchable: 'A',
        description: 'Title.',
        example: 'Trellis 1.0 released',
      }),
      subtitle: nullable(
        text({ max: 255, searchable: 'B', description: 'Subtitle.', example: 'A first release' }),
      ),
      summary: nullable(
        text({
          max: 2_000,
          searchable: 'B',
          prose: true,
          help: { en: 'A few sentences for lists.', de: 'Ein paar Sätze für Übersichten.' },
          description: 'A few sentences for lists.',
          example: 'What is new.',
        }),
      ),
      body: nullable(
        verbatimText({
          maxBytes: limits.articleBodyBytes,
          searchable: 'D',
          description: 'The text, stored byte for byte as sent; at most 512 KiB of UTF-8.',
          example: '# Hello\n\nFirst paragraph.',
        }),
      ),
      bodyFormat: choice(['MARKDOWN', 'HTML'], {
        default: 'MARKDOWN',
        description: 'The markup of `body`. HTML is stored as sent: sanitize it before displaying it.',
        example: 'MARKDOWN',
      }),
      locale: locale({
        help: {
          en: 'Left empty, the language of the site applies.',
          de: 'Bleibt das Feld leer, gilt die Sprache der Website.',
        },
        description: 'Language (BCP 47). By default that of the site.',
        example: 'en',
      }),
      coverFileId: nullable(
        picture({
          description: 'A knowledge file shown as the cover.',
          example: 'kf_01h455vb4pex5vsknk084sn02q',
        }),
      ),
      seo: nullable(object(seo)),
      changeNote: nullable(
        text({
          max: 500,
          help: {
            en: 'For other editors; readers do not see it.',
            de: 'Für andere in der Redaktion; Leser sehen sie nicht.',
          },
          description: 'Why this version exists.',
          example: 'Corrected the date',
        }),
      ),
      returnNote: nullable(
        forPublishers(
          text({
            max: 500,
            help: {
              en: 'For other editors; readers do not see it.',
              de: 'Für andere in der Redaktion; Leser sehen sie nicht.',
            },
            description:
              'Why the article was sent back from review, given with the change of `status` to DRAFT. Belongs to the version that follows the one in review. Giving or changing it requires `articles:publish`.',
            example: 'Please name the sources.',
          }),
        ),
      ),
      scheduledFor: nullable(
        instant({
          when: 'schedule',
          help: { en: 'When readers see the version.', de: 'Wann Leser die Fassung sehen.' },
          description: `When to publish; required for SCHEDULED. The publication happens within 5 s of this time. ${scheduleBound}`,
          example: '2027-01-01T09:00:00.000Z',
        }),
      ),
      unpublishAt: nullable(
        instant({
          when: 'schedule',
          help: {
            en: 'From then on readers no longer see the version.',
            de: 'Ab dann sehen Leser die Fassung nicht mehr.',
          },
          description: `When to unpublish this version. After this time it cannot be published. ${scheduleBound}`,
          example: '2027-06-01T09:00:00.000Z',
        }),
      ),
      status: choice(versionStatuses, {
        isStatus: true,
        default: 'DRAFT',
        description: `Status of the version. A new version is always a DRAFT; a PATCH of this field makes a transition. A version becomes SUPERSEDED only when a newer version is published.\n\n${describeTransitions()}`,
        example: 'DRAFT',
      }),
      versionNumber: readOnly(
        integer({ min: 1, max: 2_147_483_647, description: 'Number of the version, from 1.', example: 1 }),
      ),
      publishedAt: readOnly(publishedAt),
      submittedAt: readOnly(
        nullable(
          instant({
            description:
              'When this version was submitted for review. Afterwards an edit opens the next version.',
            example: '2026-02-26T09:00:00.000Z',
          }),
        ),
      ),
      submittedBy: readOnly(
        nullable(reference('users', { description: 'Who submitted this version.', example: userExample })),
      ),
      returnedAt: readOnly(
        nullable(
          instant({
            description: 'When the article was sent back from review, which this version follows.',
            example: '2026-02-25T09:00:00.000Z',
          }),
        ),
      ),
      returnedBy: readOnly(
        nullable(reference('users', { description: 'Who sent the article back.', example: userExample })),
      ),
      wordCount: readOnly(
        integer({
          min: 0,
          max: 2_147_483_647,
          description: 'Words that readers see of `body`, without markup.',
          example: 420,
        }),
      ),
    }),
    state: readOnly(
      choice(articleStates, {
        isStatus: true,
        description:
          'Derived from the versions. CHANGED means that a newer version than the published one exists.',
        example: 'UNPUBLISHED',
      }),
    ),
    publishedVersionNumber: readOnly(
      nullable(
        integer({ min: 1, max: 2_147_483_647, description: 'The version that readers see.', example: 1 }),
      ),
    ),
    scheduleError: readOnly(
      nullable(
        text({
          max: 1_000,
          description:
            'Why the last scheduled transition failed. It is not retried until another time or status is set.',
          example: 'The module "cms" was switched off when it was due.',
        }),
      ),
    ),
  },
  sideTables: {
    article_categories: { column: 'category_id', values: ['articleData.categoryIds'] },
    article_tags: { column: 'tag_id', values: ['articleData.tagIds'] },
  },
  versions: {
    table: 'article_versions',
    group: 'versionData',
    status: {
      field: 'versionData.status',
      transitions: {
        initial: ['DRAFT'],
        allowed: Object.fromEntries(
          Object.entries(versionTransitions).map(([from, transitions]) => [from, Object.keys(transitions)]),
        ),
        published: ['PUBLISHED'],
        events: {
          IN_REVIEW: 'submitted',
          APPROVED: 'approved',
          PUBLISHED: 'published',
          UNPUBLISHED: 'unpublished',
          SCHEDULED: 'scheduled',
        },
      },
    },
  },
  slug: {
    field: 'articleData.slug',
    from: 'versionData.title',
    language: 'versionData.locale',
    parentLanguage: 'defaultLocale',
  },
  ownOperations: ['getUsage', 'listVersions', 'readVersion', 'compareVersions'],
  actions: {
    restoreArticleVersion: {
      path: 'versions/{number}/restore',
      part: { parameter: 'number', description: 'Number of the version, from 1.' },
      summary: 'Restore a version of an article',
      description:
        'Copies the version into a new DRAFT, which becomes the working version. Never publishes. A draft with another content stays in the list of versions, ARCHIVED, and can be restored as well. A file that the version refers to must be visible to the caller, unless the working version refers to it as well. Takes no body.',
      right: 'update',
      response: 'The article after the change.',
      problems: ['reference_not_found'],
    },
  },
  languageField: 'versionData.locale',
  titleField: 'versionData.title',
  sortFields: ['articleData.firstPublishedAt'],
  exampleFields: [
    'articleData.allowComments',
    'articleData.categoryIds',
    'versionData.title',
    'versionData.summary',
    'versionData.status',
  ],
  unique: { 'articleData.slug': 'articles_slug' },
  filters: {
    status: {
      kind: 'choice',
      field: 'versionData.status',
      values: versionStatuses,
      isIndexed: true,
      description: 'Status of the working version.',
      example: 'DRAFT',
    },
    state: {
      kind: 'choice',
      field: 'state',
      values: articleStates,
      description: 'Derived state.',
      example: 'PUBLISHED',
    },
    categoryId: {
      kind: 'reference',
      field: 'articleData.categoryIds',
      description: 'Articles in this category.',
      example: 'cat_01h455vb4pex5vsknk084sn02q',
    },
    tagId: {
      kind: 'reference',
      field: 'articleData.tagIds',
      description: 'Articles with this tag.',
      example: 'tag_01h455vb4pex5vsknk084sn02q',
    },
    slug: {
      kind: 'text',
      field: 'articleData.slug',
      description: 'The article with this slug.',
      example: 'trellis-1-0-released',
    },
    locale: {
      kind: 'text',
      field: 'versionData.locale',
      format: 'locale',
      description: 'Language of the working version.',
      example: 'en',
    },
    featured: {
      kind: 'boolean',
      field: 'articleData.featured',
      description: 'Only featured articles, or only others.',
      example: 'true',
    },
    updatedSince,
  },
  furtherRights: `Also requires \`articles:publish\` and a role that may publish: to change \`versionData.status\` (${describePublishingTransitions()}), to give or change \`articleData.firstPublishedAt\` or \`versionData.returnNote\`, to edit an APPROVED version, and to unpublish the published version while there is a newer draft. \`articles:publish\` and such a role are also required to change \`articleData\` while a version is published or SCHEDULED.`,
  removalRights:
    'Also requires `articles:publish` and a role that may publish while a version of the article is published.',
  searchSources: ['articles', 'categories', 'tags'],
  searchCursor: false,
  creation:
    'Giving `articleData.firstPublishedAt` or `versionData.returnNote` also requires `articles:publish` and a role that may publish.',
  import: {
    columns: [
      {
        to: 'versionData.title',
        names: ['title', 'headline'],
        fallbacks: {
          '(first heading)': 'title taken from the first heading',
          '(file name)': 'title taken from the name of the file',
        },
      },
      { to: 'versionData.summary', names: ['summary', 'excerpt', 'description', 'abstract'] },
      { to: 'versionData.body', names: ['(body)', 'body', 'content', 'text', 'markdown'] },
      { to: 'versionData.bodyFormat', names: ['(body format)', 'body format'] },
      { to: 'versionData.locale', names: ['locale', 'lang', 'language', '(language in the path)'] },
      { to: 'articleData.slug', names: ['slug', '(address)'] },
      { to: 'articleData.authors.name', names: ['authors', 'author', 'by'] },
      { to: 'articleData.canonicalUrl', names: ['canonical url', 'canonical'] },
      {
        to: 'articleData.firstPublishedAt',
        names: ['first published at', 'date', 'published at', 'publish date', 'pub date', 'published on'],
      },
      { to: 'articleData.allowComments', names: ['allow comments', 'comments'] },
      { to: 'tags', names: ['tags', 'tag', 'keywords'] },
      { to: 'categories', names: ['categories', 'category'] },
    ],
    values: {
      PUBLISHED: ['publish', 'live', 'public'],
      DRAFT: ['pending', 'private', 'auto-draft'],
      SCHEDULED: ['future'],
    },
    identity: [['articleData.slug'], ['versionData.title', 'articleData.authors']],
    namesakes: [['versionData.title']],
    lists: { 'articleData.authors': { main: 'name', split: 'names' } },
    lookups: {
      tags: { resource: 'tags', field: 'articleData.tagIds' },
      categories: { resource: 'categories', field: 'articleData.categoryIds' },
    },
    posts: {
      columns: [
        {
          to: 'date',
          names: ['date', 'publish date', 'pub date', 'published at', 'published on', '(date in the path)'],
        },
        { to: 'expires', names: ['expires', 'expiry date', 'unpublish at'] },
      ],
      status: 'versionData.status',
      scheduledFor: 'versionData.scheduledFor',
      unpublishAt: 'versionData.unpublishAt',
      firstPublishedAt: 'articleData.firstPublishedAt',
      versionNumber: 'versionData.versionNumber',
      publishedVersionNumber: 'publishedVersionNumber',
      body: 'versionData.body',
      bodyFormat: 'versionData.bodyFormat',
      cover: 'versionData.coverFileId',
    },
  },
});
