/** The declaration of a test resource with a status, a parent, a reference and a unique value, and without code. */
import { nullable, states, text } from '@trellis/schema/resources/fields.ts';
import { contentGrants } from '@trellis/schema/resources/grants.ts';
import { defineResource } from '@trellis/schema/resources/resource.ts';
import { coverFile, updatedSince } from '@trellis/schema/resources/shapes.ts';

const statuses = ['PLANNED', 'OPEN', 'CLOSED'] as const;

export const exhibitions = defineResource({
  name: 'exhibitions',
  singular: 'exhibition',
  title: { singular: 'Exhibition', plural: 'Exhibitions' },
  german: {
    singular: 'Ausstellung',
    plural: 'Ausstellungen',
    fields: { catalogueNumber: 'Katalognummer', venue: 'Ort' },
    values: { CLOSED: 'Geschlossen', OPENED: 'Eröffnet' },
  },
  description: 'Works that a site shows for a while.',
  module: 'cms',
  idPrefix: 'exh',
  path: '/sites/{siteId}/exhibitions',
  scope: 'exhibitions',
  grants: contentGrants,
  events: { opened: 'An exhibition was opened.' },
  parent: { resource: 'sites', parameter: 'siteId', column: 'site_id' },
  table: 'exhibitions',
  fields: {
    title: text({
      max: 200,
      required: true,
      searchable: 'A',
      description: 'Title.',
      example: 'Light and Water',
    }),
    catalogueNumber: nullable(
      text({ max: 20, description: 'Number in the catalogue, unique in the site.', example: 'A-17' }),
    ),
    venue: nullable(text({ max: 200, searchable: 'C', description: 'Where it is.', example: 'Kunsthalle' })),
    coverFileId: coverFile,
    status: states(statuses, {
      initial: ['PLANNED'],
      allowed: { PLANNED: ['OPEN'], OPEN: ['CLOSED'], CLOSED: [] },
      published: ['OPEN'],
      events: { OPEN: 'opened' },
      description: 'How far it is. Transitions are a PATCH of this field.',
      example: 'PLANNED',
    }),
  },
  titleField: 'title',
  unique: { catalogueNumber: 'exhibitions_catalogue_number' },
  filters: {
    status: {
      kind: 'choice',
      field: 'status',
      values: statuses,
      isIndexed: true,
      description: 'How far it is.',
      example: 'OPEN',
    },
    updatedSince,
  },
  searchSources: ['exhibitions'],
  searchCursor: true,
});
