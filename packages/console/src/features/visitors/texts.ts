/** What the page of visitors says. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  keys: { en: 'On your website', de: 'Auf Ihrer Website' },
  keysAbout: {
    en: 'A publishable key lets the pages of a site recognize visitors. It is not secret: paste the script into your pages.',
    de: 'Mit einem öffentlichen Schlüssel erkennen die Seiten einer Website Besucher wieder. Er ist nicht geheim: Fügen Sie das Skript in Ihre Seiten ein.',
  },
  noKeys: { en: 'No publishable keys yet.', de: 'Noch keine öffentlichen Schlüssel.' },
  newKey: { en: 'New key', de: 'Neuer Schlüssel' },
  copySnippet: { en: 'Copy script', de: 'Skript kopieren' },
  visits: { en: 'Visits', de: 'Besuche' },
  visitsAbout: {
    en: 'Of the last {days} days, without those of bots. Visitors who do not want to be recognized are not shown.',
    de: 'Der letzten {days} Tage, ohne die von Bots. Wer nicht wiedererkannt werden möchte, erscheint nicht.',
  },
  noVisits: {
    en: 'No visits in the last {days} days.',
    de: 'In den letzten {days} Tagen keine Besuche.',
  },
  howToReport: {
    en: 'Pages report visits with a script: create a key for the site, copy its script, and paste it into every page.',
    de: 'Seiten melden Besuche mit einem Skript: Legen Sie einen Schlüssel für die Website an, kopieren Sie sein Skript und fügen Sie es in jede Seite ein.',
  },
  askForScript: {
    en: 'Pages report visits with a script. Somebody whose role may read clients and tokens finds it here.',
    de: 'Seiten melden Besuche mit einem Skript. Wer Anwendungen und Tokens lesen darf, findet es hier.',
  },
  toScript: { en: 'To the script', de: 'Zum Skript' },
  toClients: { en: 'Settings: clients and tokens', de: 'Einstellungen: Anwendungen und Tokens' },
  site: { en: 'Site', de: 'Website' },
  day: { en: 'Day', de: 'Tag' },
  visitors: { en: 'Visitors', de: 'Besucher' },
  visitCount: {
    en: '{count, plural, one {One visit} other {{shown} visits}}',
    de: '{count, plural, one {Ein Besuch} other {{shown} Besuche}}',
  },
  more: { en: 'Show more', de: 'Mehr anzeigen' },
  lookup: { en: 'Look up a visitor', de: 'Besucher nachschlagen' },
  lookupAbout: {
    en: 'Your pages get the visitor ID from the script and pass it on to your server.',
    de: 'Ihre Seiten erhalten die Besucher-ID vom Skript und geben sie an Ihren Server weiter.',
  },
  id: { en: 'Visitor ID', de: 'Besucher-ID' },
  find: { en: 'Look up', de: 'Nachschlagen' },
  notFound: {
    en: 'No visitor has this ID. Visitors are kept for 30 days after their last visit, or for one day without consent.',
    de: 'Kein Besucher hat diese ID. Besucher werden nach ihrem letzten Besuch 30 Tage gespeichert, ohne Einwilligung einen Tag.',
  },
  score: { en: 'Confidence', de: 'Wahrscheinlichkeit' },
  browser: { en: 'Browser', de: 'Browser' },
  device: { en: 'Device', de: 'Gerät' },
  firstSeen: { en: 'First seen', de: 'Erster Besuch' },
  lastSeen: { en: 'Last seen', de: 'Letzter Besuch' },
  erase: { en: 'Erase', de: 'Löschen' },
  eraseTitle: { en: 'Erase this visitor?', de: 'Diesen Besucher löschen?' },
  eraseAbout: {
    en: 'All data about this visitor is permanently deleted. The same browser counts as a new visitor next time.',
    de: 'Alle Daten zu diesem Besucher werden endgültig gelöscht. Derselbe Browser gilt beim nächsten Mal als neuer Besucher.',
  },
  erased: { en: 'Visitor erased.', de: 'Besucher gelöscht.' },
} satisfies FeatureTexts;
