/** Declaration of tags: the keywords of a site, without a hierarchy. */
import { nullable, text } from './fields.ts';
import { contentGrants } from './grants.ts';
import { defineResource } from './resource.ts';
import { updatedSince } from './shapes.ts';

export const tags = defineResource({
  name: 'tags',
  singular: 'tag',
  title: { singular: 'Tag', plural: 'Tags' },
  german: { singular: 'Schlagwort', plural: 'Schlagwörter', fields: { color: 'Farbe' } },
  description: 'A keyword of one site.',
  module: 'cms',
  idPrefix: 'tag',
  path: '/sites/{siteId}/tags',
  scope: 'sites',
  grants: contentGrants,
  parent: { resource: 'sites', parameter: 'siteId', column: 'site_id' },
  table: 'tags',
  fields: {
    name: text({
      max: 80,
      format: 'name',
      required: true,
      searchable: 'A',
      description: 'Display name.',
      example: 'Security',
    }),
    slug: text({
      max: 120,
      format: 'slug',
      searchable: 'D',
      help: {
        en: 'Last part of the address, such as “release-notes”. Left empty, it is made from the name.',
        de: 'Letzter Teil der Adresse, zum Beispiel „versionshinweise“. Bleibt das Feld leer, entsteht er aus dem Namen.',
      },
      description: 'Part of the URL, unique in the site. Generated from the name when not given.',
      example: 'security',
    }),
    color: nullable(
      text({
        max: 7,
        format: 'color',
        help: {
          en: 'A # and six hexadecimal digits, such as #1f6feb.',
          de: 'Eine Raute und sechs Hexadezimalziffern, zum Beispiel #1f6feb.',
        },
        description: 'Colour of the label, `#rrggbb`; stored in lower case.',
        example: '#1f6feb',
      }),
    ),
  },
  slug: { field: 'slug', from: 'name', parentLanguage: 'defaultLocale' },
  titleField: 'name',
  unique: { slug: 'tags_slug' },
  filters: {
    slug: { kind: 'text', field: 'slug', description: 'The tag with this slug.', example: 'security' },
    updatedSince,
  },
  searchSources: ['tags'],
  searchCursor: true,
  import: {
    columns: [{ to: 'name', names: ['name', 'tag', 'label', 'title'] }],
    identity: [['slug'], ['name']],
  },
});
