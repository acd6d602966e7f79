/** What the first page says. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  failed: { en: 'Needs your attention', de: 'Braucht Ihre Aufmerksamkeit' },
  failedSchedule: {
    en: 'The schedule of this article failed.',
    de: 'Der Zeitplan dieses Artikels ist gescheitert.',
  },
  failedFile: { en: 'Its text could not be read.', de: 'Der Text ließ sich nicht auslesen.' },
  endpointDisabled: {
    en: 'Switched off: {reason, select, GONE {the receiver answered that it is gone} CLAIMED {the account that it acted for was taken over by its owner} other {all calls failed for five days}}.',
    de: 'Abgeschaltet: {reason, select, GONE {der Empfänger hat geantwortet, dass es ihn nicht mehr gibt} CLAIMED {das Konto, für das er handelte, hat sein Inhaber übernommen} other {alle Aufrufe sind fünf Tage lang gescheitert}}.',
  },
  deliveryFailed: {
    en: 'A delivery of {type} failed{status, select, none {: there was no answer} other {: the receiver answered {status}}}.',
    de: 'Eine Zustellung von {type} ist gescheitert{status, select, none {: es kam keine Antwort} other {: der Empfänger hat mit {status} geantwortet}}.',
  },
  drafts: { en: 'Your drafts', de: 'Ihre Entwürfe' },
  noDrafts: { en: 'You have no drafts.', de: 'Sie haben keine Entwürfe.' },
  inReview: { en: 'In review', de: 'In Prüfung' },
  noReview: { en: 'Nothing waits for a review.', de: 'Nichts wartet auf eine Prüfung.' },
  scheduled: { en: 'Scheduled', de: 'Geplant' },
  noScheduled: { en: 'Nothing is scheduled.', de: 'Nichts ist geplant.' },
  by: { en: 'by {name}', de: 'von {name}' },
  changes: { en: 'What changed lately', de: 'Zuletzt geändert' },
  allChanges: { en: 'All activity', de: 'Alle Ereignisse' },
  noChanges: { en: 'Nothing has changed yet.', de: 'Es hat sich noch nichts geändert.' },
  manyRecords: { en: '{count} {kind}', de: '{count} {kind}' },
  startTitle: { en: 'Three steps to begin', de: 'Drei Schritte zum Anfang' },
  startSite: { en: 'Create a site', de: 'Eine Website anlegen' },
  startSiteAbout: {
    en: 'Articles, categories and tags belong to a site.',
    de: 'Artikel, Kategorien und Schlagwörter gehören zu einer Website.',
  },
  startArticle: { en: 'Write the first article', de: 'Den ersten Artikel schreiben' },
  startArticleAbout: {
    en: 'It stays a draft until somebody publishes it.',
    de: 'Er bleibt ein Entwurf, bis ihn jemand veröffentlicht.',
  },
  startToken: { en: 'Create a token for your website', de: 'Ein Token für Ihre Website anlegen' },
  startTokenAbout: {
    en: 'Programs read and write with tokens, by the API at /docs.',
    de: 'Programme lesen und schreiben mit Tokens, über die API unter /docs.',
  },
} satisfies FeatureTexts;
