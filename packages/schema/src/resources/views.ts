/**
 * Declaration of views: lists with their filters, search, order and columns, under a name. It is made from the other resources,
 * because those with a list that every built-in role may read can have views.
 */
import { choice, flag, readOnly, reference, strings, text } from './fields.ts';
import { roles, viewGrants } from './grants.ts';
import { limits } from './limits.ts';
import { hasOperation, type Resource } from './resource.ts';
import { updatedSince } from './shapes.ts';

/** Whether lists of the resource can be saved as views. Of the built-in roles all may read it, as the column `readers` says. */
function hasViews(resource: Resource): boolean {
  return hasOperation(resource, 'list') && roles.every((role) => resource.grants[role].read !== undefined);
}

/**
 * Declares views of the lists of these resources.
 * @throws Error if none of them can have views, which is a mistake in the list
 */
export function declareViews(resources: readonly Resource[]) {
  const listed = resources.filter(hasViews);
  const [first, ...others] = listed.map(({ name }) => name);
  if (first === undefined) throw new Error('no resource has a list that every role may read');
  const viewable = [first, ...others] as const;
  return {
    name: 'views',
    singular: 'view',
    title: { singular: 'View', plural: 'Views' },
    german: {
      singular: 'Ansicht',
      plural: 'Ansichten',
      fields: { query: 'Abfrage', columns: 'Spalten', layout: 'Darstellung', shared: 'Geteilt' },
      values: {
        ...Object.fromEntries(listed.map(({ name, german }) => [name, german?.plural ?? name])),
        TABLE: 'Tabelle',
        GALLERY: 'Galerie',
      },
    },
    description:
      'A list of one resource under a name: its filters, search, order, columns and layout. A private view is visible to its owner only, not even to administrators; a shared one to every member who may read the resource.',
    module: null,
    idPrefix: 'view',
    path: '/views',
    scope: 'views',
    grants: viewGrants,
    parent: null,
    portable: false,
    table: 'views',
    fields: {
      name: text({
        max: 200,
        format: 'name',
        required: true,
        searchable: 'A',
        description:
          'Display name, unique among the shared views of a resource and among the private ones of a user.',
        example: 'Customers in Berlin',
      }),
      resource: choice(viewable, {
        required: true,
        description:
          'The resource whose list it is. Lists below a parent have the same views below every parent.',
        example: 'contacts',
      }),
      query: text({
        min: 0,
        max: limits.viewQuery,
        default: '',
        description:
          'The query string of the list: its filters, `search` and `sort`. Stored in the order of the names, without parameters that are empty.',
        example: 'lifecycleStage=CUSTOMER&sort=-updatedAt',
      }),
      columns: strings({
        max: 50,
        item: { max: 100 },
        description:
          'The fields that are shown, by their dotted names, in this order; none for those that are shown by default. A hyphen and a number after a name are the width in pixels, from 60 to 1000.',
        example: ['displayName-320', 'lifecycleStage', 'updatedAt'],
      }),
      layout: choice(['TABLE', 'GALLERY'], {
        default: 'TABLE',
        description:
          'Whether the list is a table, or a gallery of pictures, which lists of records with pictures can be.',
        example: 'TABLE',
      }),
      shared: flag({
        default: false,
        description: 'Whether others see the view too, which requires the permission to publish views.',
        example: false,
      }),
      ownerUserId: readOnly(
        reference('users', {
          description: 'Who created it.',
          example: 'user_01h455vb4pex5vsknk084sn02q',
        }),
      ),
    },
    exampleFields: ['name', 'resource', 'query', 'columns'],
    furtherRights: 'Sharing a view, and any change of a shared one, requires a role that may publish views.',
    removalRights: 'Deleting a shared view requires a role that may publish views.',
    refusals: { create: ['quota_reached'] },
    titleField: 'name',
    unique: {},
    uniqueTogether: { views_name: ['resource', 'shared', 'name'] },
    filters: {
      resource: {
        kind: 'choice',
        field: 'resource',
        values: viewable,
        isIndexed: true,
        description: 'Views of the lists of this resource.',
        example: 'contacts',
      },
      shared: {
        kind: 'boolean',
        field: 'shared',
        description: 'Only shared views, or only private ones.',
        example: 'true',
      },
      ownerUserId: {
        kind: 'reference',
        field: 'ownerUserId',
        description: 'Views that this member created.',
        example: 'user_01h455vb4pex5vsknk084sn02q',
      },
      updatedSince,
    },
    searchSources: ['views'],
    searchCursor: true,
  } as const satisfies Resource;
}
