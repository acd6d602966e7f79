/** Declaration of categories: the tree of subjects of a site. An article lists its categories in order, one as primary. */
import { integer, nullable, reference, text } from './fields.ts';
import { contentGrants } from './grants.ts';
import { defineResource } from './resource.ts';
import { updatedSince } from './shapes.ts';

export const categories = defineResource({
  name: 'categories',
  singular: 'category',
  title: { singular: 'Category', plural: 'Categories' },
  german: { singular: 'Kategorie', plural: 'Kategorien', fields: { parentId: 'Übergeordnet' } },
  description: 'A subject in the tree of one site, at most eight levels deep.',
  module: 'cms',
  idPrefix: 'cat',
  path: '/sites/{siteId}/categories',
  scope: 'sites',
  grants: contentGrants,
  parent: { resource: 'sites', parameter: 'siteId', column: 'site_id' },
  table: 'categories',
  fields: {
    name: text({
      max: 120,
      format: 'name',
      required: true,
      searchable: 'A',
      description: 'Display name.',
      example: 'Release notes',
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
      example: 'release-notes',
    }),
    description: nullable(
      text({
        max: 2_000,
        searchable: 'B',
        prose: true,
        help: { en: 'Which articles belong here.', de: 'Welche Artikel hierher gehören.' },
        description: 'What belongs here.',
        example: 'What changed in each release.',
      }),
    ),
    parentId: nullable(
      reference('categories', {
        sameParent: true,
        help: {
          en: 'Left empty, the category is at the top.',
          de: 'Bleibt das Feld leer, steht die Kategorie auf der obersten Ebene.',
        },
        description: 'The category above this one, in the same site.',
        example: 'cat_01h455vb4pex5vsknk084sn02q',
      }),
    ),
    position: integer({
      min: -2_147_483_648,
      max: 2_147_483_647,
      default: 0,
      help: { en: 'Lower numbers come first.', de: 'Kleinere Zahlen stehen weiter oben.' },
      description: 'Position among its siblings, ascending.',
      example: 10,
    }),
  },
  slug: { field: 'slug', from: 'name', parentLanguage: 'defaultLocale' },
  titleField: 'name',
  unique: { slug: 'categories_slug' },
  filters: {
    slug: {
      kind: 'text',
      field: 'slug',
      description: 'The category with this slug.',
      example: 'release-notes',
    },
    parentId: {
      kind: 'reference',
      field: 'parentId',
      description: 'Categories directly below this one.',
      example: 'cat_01h455vb4pex5vsknk084sn02q',
    },
    updatedSince,
  },
  searchSources: ['categories'],
  searchCursor: true,
  import: {
    columns: [
      { to: 'name', names: ['name', 'category', 'title'] },
      { to: 'parentId', names: ['parent', 'parent category', 'übergeordnet'] },
    ],
    identity: [['slug'], ['name']],
  },
});
