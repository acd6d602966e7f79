/** Contacts and companies: pages to read them, and a form behind these. */
import { lazy } from 'react';
import type { Presentations } from '../../resources/presentation.ts';

const ContactPage = lazy(() =>
  import('./ContactPage.tsx').then((module) => ({ default: module.ContactPage })),
);
const CompanyPage = lazy(() =>
  import('./CompanyPage.tsx').then((module) => ({ default: module.CompanyPage })),
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
  },
};
