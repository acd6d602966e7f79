/** What the page of visitors says. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  keys: { en: 'On your website', de: 'Auf Ihrer Website' },
  keysAbout: {
    en: 'A publishable key lets the pages of one site recognize visitors. It is public: paste the script into your pages.',
    de: 'Mit einem öffentlichen Schlüssel erkennen die Seiten einer Website Besucher wieder. Er ist nicht geheim: Fügen Sie das Script in Ihre Seiten ein.',
  },
  noKeys: { en: 'There is no publishable key yet.', de: 'Es gibt noch keinen öffentlichen Schlüssel.' },
  newKey: { en: 'New key', de: 'Neuer Schlüssel' },
  copySnippet: { en: 'Copy the script', de: 'Script kopieren' },
  lookup: { en: 'Look up a visitor', de: 'Besucher nachschlagen' },
  lookupAbout: {
    en: 'Your pages get the id of a visitor from the script, and pass it on to your server.',
    de: 'Ihre Seiten bekommen die ID eines Besuchers vom Script und geben sie an Ihren Server weiter.',
  },
  id: { en: 'Id of the visitor', de: 'ID des Besuchers' },
  find: { en: 'Look up', de: 'Nachschlagen' },
  notFound: {
    en: 'No visitor has this id. They are kept for 30 days after the last visit, and for a day without consent.',
    de: 'Kein Besucher hat diese ID. Sie werden 30 Tage nach dem letzten Besuch aufbewahrt, ohne Einwilligung einen Tag.',
  },
  score: { en: 'Confidence', de: 'Sicherheit' },
  browser: { en: 'Browser', de: 'Browser' },
  device: { en: 'Device', de: 'Gerät' },
  firstSeen: { en: 'First seen', de: 'Zuerst gesehen' },
  lastSeen: { en: 'Last seen', de: 'Zuletzt gesehen' },
  erase: { en: 'Erase', de: 'Löschen' },
  eraseTitle: { en: 'Erase this visitor?', de: 'Diesen Besucher löschen?' },
  eraseAbout: {
    en: 'Everything about the visitor is deleted for good. The same browser is a new visitor next time.',
    de: 'Alles über den Besucher wird endgültig gelöscht. Derselbe Browser ist beim nächsten Mal ein neuer Besucher.',
  },
  erased: { en: 'The visitor is erased.', de: 'Der Besucher ist gelöscht.' },
} satisfies FeatureTexts;
