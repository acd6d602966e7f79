/** What the pages of contacts and companies say. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  reach: { en: 'Contact details', de: 'Kontaktdaten' },
  primary: { en: 'primary', de: 'bevorzugt' },
  deletedCompany: {
    en: '{contacts} will no longer name {companies, plural, one {this company} other {these companies}}. Restoring {companies, plural, one {the company} other {the companies}} does not undo that.',
    de: '{contacts}: Bei ihnen wird {companies, plural, one {diese Firma} other {jede dieser Firmen}} entfernt. Wiederherstellen macht das nicht rückgängig.',
  },
  furtherContacts: { en: 'further contacts', de: 'weitere Kontakte' },
  showThem: {
    en: 'Show these contacts, to give them another company first',
    de: 'Diese Kontakte anzeigen, um ihnen vorher eine andere Firma zu geben',
  },
  all: { en: 'Show all', de: 'Alle anzeigen' },
} satisfies FeatureTexts;
