/** What only the page of a company says. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  unreachable: {
    en: 'No contact details for this company.',
    de: 'Zu dieser Firma sind keine Kontaktdaten bekannt.',
  },
  contacts: { en: 'Contacts', de: 'Kontakte' },
  noContacts: {
    en: 'No contact belongs to this company yet.',
    de: 'Zu dieser Firma gehört noch kein Kontakt.',
  },
  addContact: { en: 'Add a contact', de: 'Kontakt hinzufügen' },
  subsidiaries: { en: 'Subsidiaries', de: 'Tochtergesellschaften' },
  parent: { en: 'Parent company', de: 'Muttergesellschaft' },
  domains: { en: 'Domains', de: 'Domains' },
  employees: {
    en: '{count, plural, one {# employee} other {# employees}}',
    de: '{count, plural, one {# Person} other {# Personen}}',
  },
  revenue: { en: 'Annual revenue', de: 'Jahresumsatz' },
  description: { en: 'About', de: 'Über die Firma' },
} satisfies FeatureTexts;
