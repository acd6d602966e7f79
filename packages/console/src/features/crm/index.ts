/** Contacts and companies: pages to read them, and a form behind these. */
import { lazy } from 'react';
import type { Presentations } from '../../resources/presentation.ts';

// One file: the pages share most of what they need.
const ContactPage = lazy(() => import('./pages.ts').then((module) => ({ default: module.ContactPage })));
const CompanyPage = lazy(() => import('./pages.ts').then((module) => ({ default: module.CompanyPage })));
const ContactsOfDeleted = lazy(() =>
  import('./pages.ts').then((module) => ({ default: module.ContactsOfDeleted })),
);

export const crmPresentations: Presentations = {
  contacts: {
    icon: 'user',
    columns: ['displayName', 'emails', 'jobTitle', 'lifecycleStage', 'updatedAt'],
    editedWhereRead: ['ownerUserId', 'lifecycleStage', 'leadStatus', 'tags'],
    record: ContactPage,
  },
  companies: {
    icon: 'building',
    columns: ['name', 'domains', 'industry', 'updatedAt'],
    editedWhereRead: ['ownerUserId', 'lifecycleStage', 'tags'],
    record: CompanyPage,
    beforeDeletion: ContactsOfDeleted,
  },
};
