/** The declaration of a test resource with a status, a parent, a reference, a unique value and an action. */
import { instant, nullable, readOnly, states, text } from '@trellis/schema/resources/fields.ts';
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
    fields: {
      catalogueNumber: 'Katalognummer',
      venue: 'Ort',
      approvedAt: 'Genehmigt',
      approvalNote: 'Anmerkung der Genehmigung',
      note: 'Anmerkung',
    },
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
    approvedAt: readOnly(
      nullable(instant({ description: 'When it was approved.', example: '2026-03-01T09:00:00.000Z' })),
    ),
    approvalNote: readOnly(
      nullable(text({ max: 200, description: 'Said with the approval.', example: 'Within the budget.' })),
    ),
  },
  actions: {
    approveExhibition: {
      path: 'approve',
      summary: 'Approve an exhibition',
      description: 'Approves an exhibition, once.',
      right: 'publish',
      input: {
        schemaName: 'ExhibitionApprovalCreate',
        fields: {
          note: text({ max: 200, description: 'Said with the approval.', example: 'Within the budget.' }),
        },
      },
      offered: { approvedAt: 'absent' },
      texts: {
        label: { en: 'Approve', de: 'Genehmigen' },
        title: { en: 'Approve “{name}”?', de: '„{name}“ genehmigen?' },
        about: { en: 'It can then be opened.', de: 'Sie kann dann eröffnet werden.' },
        done: { en: '“{name}” is approved.', de: '„{name}“ ist genehmigt.' },
      },
    },
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
