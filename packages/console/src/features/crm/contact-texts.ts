/** What only the page of a contact says. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  doNotContact: { en: 'Do not contact', de: 'Nicht kontaktieren' },
  unreachable: {
    en: 'No contact details for this contact.',
    de: 'Zu diesem Kontakt sind keine Kontaktdaten bekannt.',
  },
  companies: { en: 'Companies', de: 'Firmen' },
  notes: { en: 'Notes', de: 'Notizen' },
  source: { en: 'Source', de: 'Quelle' },
  timezone: { en: 'Time zone', de: 'Zeitzone' },
} satisfies FeatureTexts;
