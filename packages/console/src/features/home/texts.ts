/** What the first page says. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  failed: { en: 'Needs attention', de: 'Handlungsbedarf' },
  failedSchedule: {
    en: 'A scheduled change failed.',
    de: 'Eine geplante Änderung ist fehlgeschlagen.',
  },
  failedFile: { en: 'Text extraction failed.', de: 'Die Textextraktion ist fehlgeschlagen.' },
  endpointDisabled: {
    en: 'Disabled: {reason, select, GONE {the receiver returned 410 Gone} CLAIMED {the account that it acted for was taken over by its owner} other {all calls failed for five days}}.',
    de: 'Deaktiviert: {reason, select, GONE {Der Empfänger hat 410 Gone gemeldet} CLAIMED {Das zugehörige Konto wurde von seinem Inhaber übernommen} other {Alle Aufrufe sind fünf Tage lang fehlgeschlagen}}.',
  },
  deliveryFailed: {
    en: 'A delivery of {type} failed{status, select, none {: no response} other {: the receiver returned {status}}}.',
    de: 'Eine Zustellung von {type} ist fehlgeschlagen{status, select, none {: keine Antwort} other {: Der Empfänger hat mit {status} geantwortet}}.',
  },
  drafts: { en: 'Your drafts', de: 'Ihre Entwürfe' },
  noDrafts: { en: 'You have no drafts.', de: 'Sie haben keine Entwürfe.' },
  inReview: { en: 'Waiting for your approval', de: 'Wartet auf Ihre Freigabe' },
  noReview: { en: 'Nothing is in review.', de: 'Nichts ist in Prüfung.' },
  scheduled: { en: 'Scheduled', de: 'Geplant' },
  today: { en: 'Goes live today', de: 'Erscheint heute' },
  noMoreScheduled: { en: 'Nothing else is scheduled.', de: 'Sonst ist nichts geplant.' },
  contacts: { en: 'Your contacts', de: 'Ihre Kontakte' },
  allContacts: { en: 'All your contacts', de: 'Alle Ihre Kontakte' },
  noScheduled: { en: 'Nothing is scheduled.', de: 'Nichts ist geplant.' },
  returned: { en: 'Sent back to you', de: 'An Sie zurückgegeben' },
  published: { en: 'Your articles that were published', de: 'Ihre veröffentlichten Artikel' },
  sentBackBy: { en: 'Sent back by {name}', de: 'Zurückgegeben von {name}' },
  publishedBy: { en: 'Published by {name}', de: 'Veröffentlicht von {name}' },
  quoted: { en: '“{text}”', de: '„{text}“' },
  by: { en: 'by {name}', de: 'von {name}' },
  changes: { en: 'Recent changes', de: 'Letzte Änderungen' },
  allChanges: { en: 'All activity', de: 'Gesamte Aktivität' },
  noChanges: { en: 'No changes yet.', de: 'Noch keine Änderungen.' },
  did: { en: '{name} {done} {what}', de: '{name} hat {what} {done}' },
  manyRecords: { en: '{count} {kind}', de: '{count} {kind}' },
  startTitle: { en: 'Get started', de: 'Erste Schritte' },
  startSite: { en: 'Create a site', de: 'Eine Website anlegen' },
  startSiteAbout: {
    en: 'Articles, categories and tags belong to a site.',
    de: 'Artikel, Kategorien und Schlagwörter gehören zu einer Website.',
  },
  startArticle: { en: 'Write your first article', de: 'Den ersten Artikel schreiben' },
  startArticleAbout: {
    en: 'It stays a draft until it is published.',
    de: 'Er bleibt ein Entwurf, bis er veröffentlicht wird.',
  },
  startToken: { en: 'Create a token for your website', de: 'Ein Token für Ihre Website anlegen' },
  startTokenAbout: {
    en: 'Programs use tokens to call the API. See /docs.',
    de: 'Mit Tokens greifen Programme auf die API zu. Siehe /docs.',
  },
} satisfies FeatureTexts;
