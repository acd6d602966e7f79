/** Members, invitations, roles, clients and tokens: pages of the settings. */
import { lazy } from 'react';
import type { Presentations } from '../../resources/presentation.ts';

const MembersPage = lazy(() =>
  import('./MembersPage.tsx').then((module) => ({ default: module.MembersPage })),
);
const NewMemberPage = lazy(() =>
  import('./MembersPage.tsx').then((module) => ({ default: module.NewMemberPage })),
);
const InvitationsPage = lazy(() =>
  import('./InvitationsPage.tsx').then((module) => ({ default: module.InvitationsPage })),
);
const NewInvitationPage = lazy(() =>
  import('./InvitationsPage.tsx').then((module) => ({ default: module.NewInvitationPage })),
);
const RolesPage = lazy(() => import('./RolesPage.tsx').then((module) => ({ default: module.RolesPage })));
const RolePage = lazy(() => import('./RolesPage.tsx').then((module) => ({ default: module.RolePage })));
const AccessPage = lazy(() => import('./AccessPage.tsx').then((module) => ({ default: module.AccessPage })));
const NewClientPage = lazy(() =>
  import('./AccessPage.tsx').then((module) => ({ default: module.NewClientPage })),
);
const NewTokenPage = lazy(() =>
  import('./AccessPage.tsx').then((module) => ({ default: module.NewTokenPage })),
);

export const settingsPresentations: Presentations = {
  members: { icon: 'users', list: MembersPage, create: NewMemberPage },
  invitations: {
    icon: 'users',
    list: InvitationsPage,
    create: NewInvitationPage,
    createText: 'palette.invite',
  },
  roles: { icon: 'key', list: RolesPage, record: RolePage },
  clients: { icon: 'code', list: AccessPage, create: NewClientPage },
  tokens: { icon: 'key', list: AccessPage, create: NewTokenPage },
};
