/** Access: organizations, members, roles, invitations, clients, tokens and sessions. */
import { clients } from '@trellis/schema/resources/clients.ts';
import { invitations } from '@trellis/schema/resources/invitations.ts';
import { members } from '@trellis/schema/resources/members.ts';
import { organizations } from '@trellis/schema/resources/organizations.ts';
import { roles } from '@trellis/schema/resources/roles.ts';
import { tokens } from '@trellis/schema/resources/tokens.ts';
import type { Feature } from '../../kernel/feature.ts';
import { extend } from '../../kernel/pipeline/extensions.ts';
import { clientRules } from './clients/rules.ts';
import { clientStorage } from './clients/storage.ts';
import { invitationOperations } from './invitations/operations.ts';
import { invitationRules } from './invitations/rules.ts';
import { invitationStorage } from './invitations/storage.ts';
import { meSchemas } from './me-schema.ts';
import { memberRules } from './members/rules.ts';
import { memberStorage } from './members/storage.ts';
import { meOperation } from './operations.ts';
import { organizationRules, organizationStorage } from './organization/storage.ts';
import { roleRules } from './roles/rules.ts';
import { roleStorage } from './roles/storage.ts';
import { sessionOperations } from './sessions/operations.ts';
import { sessionSchemas } from './sessions/schemas.ts';
import { tokenOperations } from './tokens/operations.ts';
import { tokenRules } from './tokens/rules.ts';
import { tokenStorage } from './tokens/storage.ts';

export const accessFeature: Feature = {
  name: 'access',
  extensions: [
    extend(organizations, { storage: organizationStorage, rules: organizationRules }),
    extend(members, { storage: memberStorage, rules: memberRules }),
    extend(invitations, { storage: invitationStorage, rules: invitationRules }),
    extend(roles, { storage: roleStorage, rules: roleRules }),
    extend(clients, { storage: clientStorage, rules: clientRules }),
    extend(tokens, { storage: tokenStorage, rules: tokenRules }),
  ],
  serve: (context) => ({
    ownOperations: {
      [invitations.name]: (model, shared) => invitationOperations(context, model, shared),
      [tokens.name]: (model, shared) => tokenOperations(context, model, shared),
    },
    operations: [meOperation(context), ...sessionOperations(context)],
  }),
  documents: {
    tags: { Me: 'Who calls.', Sessions: 'The browsers in which people are signed in.' },
    schemas: () => ({ ...meSchemas(), ...sessionSchemas() }),
  },
};
