/** Declaration of roles. Five are built in, with the same ids in every organization; others are made by the organization. */

import { flag, list, readOnly, text } from './fields.ts';
import { actions, managementGrants, type Role } from './grants.ts';
import { defineOrganizationResource } from './resource.ts';
import { updatedSince } from './shapes.ts';
import { Type } from './type.ts';

/** Uuids of the built-in roles. Their ids are the same in every organization: `role_00000000000000000000000001` … `5`. */
export const builtInRoleIds: Readonly<Record<Role, string>> = {
  OWNER: '00000000-0000-0000-0000-000000000001',
  ADMIN: '00000000-0000-0000-0000-000000000002',
  EDITOR: '00000000-0000-0000-0000-000000000003',
  AUTHOR: '00000000-0000-0000-0000-000000000004',
  VIEWER: '00000000-0000-0000-0000-000000000005',
};

const grant = Type.Object(
  {
    resource: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'A resource of the permission matrix.',
      examples: ['articles'],
    }),
    action: Type.Unsafe<(typeof actions)[number]>({
      type: 'string',
      enum: [...actions],
      description: 'What members with the role may do.',
      examples: ['update'],
    }),
    own: Type.Optional(
      Type.Boolean({
        description: 'Whether only with records that the member created.',
        default: false,
        examples: [true],
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'One permission.',
    examples: [{ resource: 'articles', action: 'update', own: true }],
  },
);

export const roles = defineOrganizationResource({
  name: 'roles',
  singular: 'role',
  title: { singular: 'Role', plural: 'Roles' },
  german: {
    singular: 'Rolle',
    plural: 'Rollen',
    fields: { grants: 'Rechte', builtIn: 'Eingebaut', action: 'Aktion', own: 'Nur eigene' },
    values: {
      read: 'Lesen',
      create: 'Anlegen',
      update: 'Ändern',
      delete: 'Löschen',
      publish: 'Veröffentlichen',
    },
  },
  description:
    'A role of members: a set of permissions. The built-in roles OWNER, ADMIN, EDITOR, AUTHOR and VIEWER have the same ids in every organization and cannot be changed.',
  idPrefix: 'role',
  path: '/roles',
  scope: 'roles:manage',
  grants: managementGrants,
  refusals: { create: ['quota_reached'] },
  table: 'roles',
  fields: {
    key: text({
      max: 63,
      required: true,
      searchable: 'A',
      format: 'role-key',
      description:
        'Short name of the role, unique in the organization. That of a built-in role is in capitals.',
      example: 'newsroom',
    }),
    name: text({
      max: 120,
      format: 'name',
      required: true,
      searchable: 'A',
      description: 'Display name.',
      example: 'Newsroom',
    }),
    grants: list(grant, {
      max: 200,
      description: 'The permissions. A role that may do something with a resource may also read it.',
      example: [
        { resource: 'articles', action: 'read' },
        { resource: 'articles', action: 'update', own: true },
      ],
    }),
    builtIn: readOnly(flag({ default: false, description: 'Whether the role is built in.', example: false })),
  },
  titleField: 'name',
  unique: { key: 'roles_key' },
  filters: {
    builtIn: {
      kind: 'boolean',
      field: 'builtIn',
      description: 'Only built-in roles, or only others.',
      example: 'false',
    },
    updatedSince,
  },
  searchSources: ['roles'],
  searchCursor: true,
});
