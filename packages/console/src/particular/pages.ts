/**
 * The pages that are particular to a resource, by its name. Each is loaded when it is first shown. They stand apart from
 * `registry.ts`, which pages import.
 */
import { type ComponentType, lazy } from 'react';
import type { ListPageProps, RecordPageProps } from './registry.ts';

interface Pages {
  /** Replaces the list. */
  readonly list?: ComponentType<ListPageProps>;
  /** Replaces the page of one record. */
  readonly record?: ComponentType<RecordPageProps>;
  /** Replaces the form for a new record, at `…/new`: where what is shown once is shown, and where files get their content. */
  readonly create?: ComponentType<ListPageProps>;
}

const ArticlePage = lazy(() =>
  import('../articles/ArticlePage.tsx').then((module) => ({ default: module.ArticlePage })),
);
const MembersPage = lazy(() =>
  import('../settings/MembersPage.tsx').then((module) => ({ default: module.MembersPage })),
);
const InvitationsPage = lazy(() =>
  import('../settings/InvitationsPage.tsx').then((module) => ({ default: module.InvitationsPage })),
);
const NewMemberPage = lazy(() =>
  import('../settings/MembersPage.tsx').then((module) => ({ default: module.NewMemberPage })),
);
const NewInvitationPage = lazy(() =>
  import('../settings/InvitationsPage.tsx').then((module) => ({ default: module.NewInvitationPage })),
);
const RolePage = lazy(() =>
  import('../settings/RolesPage.tsx').then((module) => ({ default: module.RolePage })),
);
const RolesPage = lazy(() =>
  import('../settings/RolesPage.tsx').then((module) => ({ default: module.RolesPage })),
);
const AccessPage = lazy(() =>
  import('../settings/AccessPage.tsx').then((module) => ({ default: module.AccessPage })),
);
const NewClientPage = lazy(() =>
  import('../settings/AccessPage.tsx').then((module) => ({ default: module.NewClientPage })),
);
const NewTokenPage = lazy(() =>
  import('../settings/AccessPage.tsx').then((module) => ({ default: module.NewTokenPage })),
);
const WebhooksPage = lazy(() =>
  import('../webhooks/WebhooksPage.tsx').then((module) => ({ default: module.WebhooksPage })),
);
const NewEndpointPage = lazy(() =>
  import('../webhooks/WebhooksPage.tsx').then((module) => ({ default: module.NewEndpointPage })),
);
const WebhookPage = lazy(() =>
  import('../webhooks/WebhookPage.tsx').then((module) => ({ default: module.WebhookPage })),
);
const FilesPage = lazy(() =>
  import('../knowledge/FilesPage.tsx').then((module) => ({ default: module.FilesPage })),
);
const NewFilePage = lazy(() =>
  import('../knowledge/FilesPage.tsx').then((module) => ({ default: module.NewFilePage })),
);
const FilePage = lazy(() =>
  import('../knowledge/FilePage.tsx').then((module) => ({ default: module.FilePage })),
);
const CategoriesPage = lazy(() =>
  import('../categories/CategoriesPage.tsx').then((module) => ({ default: module.CategoriesPage })),
);
const ContactPage = lazy(() =>
  import('../contacts/ContactPage.tsx').then((module) => ({ default: module.ContactPage })),
);
const CompanyPage = lazy(() =>
  import('../companies/CompanyPage.tsx').then((module) => ({ default: module.CompanyPage })),
);
const SavedViewPage = lazy(() =>
  import('../views/SavedViewPage.tsx').then((module) => ({ default: module.SavedViewPage })),
);

const pages: Readonly<Record<string, Pages>> = {
  articles: { record: ArticlePage },
  categories: { list: CategoriesPage },
  'knowledge-files': { list: FilesPage, record: FilePage, create: NewFilePage },
  contacts: { record: ContactPage },
  companies: { record: CompanyPage },
  'webhook-endpoints': { list: WebhooksPage, record: WebhookPage, create: NewEndpointPage },
  members: { list: MembersPage, create: NewMemberPage },
  invitations: { list: InvitationsPage, create: NewInvitationPage },
  roles: { list: RolesPage, record: RolePage },
  clients: { list: AccessPage, create: NewClientPage },
  tokens: { list: AccessPage, create: NewTokenPage },
  views: { record: SavedViewPage },
};

/** The pages of a resource; nothing for one whose pages are derived from the declaration. */
export function pagesOf(resource: string): Pages {
  return pages[resource] ?? {};
}
