/** What the pages of webhooks say. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  about: {
    en: 'Trellis sends each event to these URLs at least once.',
    de: 'Trellis sendet jedes Ereignis mindestens einmal an diese URLs.',
  },
  add: { en: 'New endpoint', de: 'Neuer Endpunkt' },
  edit: { en: 'Edit', de: 'Bearbeiten' },
  lastFailed: { en: 'The last delivery failed', de: 'Die letzte Zustellung ist fehlgeschlagen' },
  none: { en: 'No endpoints yet', de: 'Noch keine Endpunkte' },
  noneAbout: {
    en: 'Add the URL of a program to notify of changes, such as one that rebuilds your website.',
    de: 'Fügen Sie die URL eines Programms hinzu, das über Änderungen informiert werden soll, zum Beispiel zum Neubau Ihrer Website.',
  },
  url: { en: 'URL', de: 'URL' },
  urlAbout: {
    en: 'An https URL on the public internet.',
    de: 'Eine öffentlich erreichbare https-URL.',
  },
  types: { en: 'Events', de: 'Ereignisse' },
  typesAbout: {
    en: 'Single event types, all of one kind, or everything. Search by name or code.',
    de: 'Einzelne Ereignistypen, alle einer Art oder alle. Suche nach Name oder Code.',
  },
  noType: { en: 'No matching events.', de: 'Keine passenden Ereignisse.' },
  sites: { en: 'Sites', de: 'Websites' },
  allSites: {
    en: 'All sites, and what belongs to no site',
    de: 'Alle Websites und was zu keiner Website gehört',
  },
  someSites: { en: 'Certain sites only', de: 'Nur bestimmte Websites' },
  chosenSites: { en: 'Which sites', de: 'Welche Websites' },
  chosenSitesAbout: {
    en: 'Events of these sites and of their articles, categories and tags are sent; those of contacts, books and the like are not.',
    de: 'Gesendet werden Ereignisse dieser Websites und ihrer Artikel, Kategorien und Schlagwörter, aber keine von Kontakten, Büchern und Ähnlichem.',
  },
  payload: { en: 'Payload', de: 'Umfang' },
  thin: {
    en: 'Thin: the names of the changed fields and a link',
    de: 'Kompakt: Namen der geänderten Felder und ein Link',
  },
  full: { en: 'Full: also the record', de: 'Vollständig: zusätzlich der Eintrag' },
  description: { en: 'Purpose', de: 'Zweck' },
  save: { en: 'Save', de: 'Speichern' },
  create: { en: 'Create endpoint', de: 'Endpunkt anlegen' },
  pause: { en: 'Pause', de: 'Anhalten' },
  enable: { en: 'Enable', de: 'Aktivieren' },
  paused: {
    en: 'Paused. Events are not sent or queued; use “Send events again” to catch up later.',
    de: 'Angehalten. Ereignisse werden weder gesendet noch vorgemerkt; holen Sie sie später mit „Ereignisse erneut senden“ nach.',
  },
  gone: {
    en: 'Disabled, because the receiver returned 410 Gone.',
    de: 'Deaktiviert, weil der Empfänger mit 410 Gone geantwortet hat.',
  },
  failing: {
    en: 'Disabled, because all calls failed for five days.',
    de: 'Deaktiviert, weil fünf Tage lang alle Aufrufe fehlgeschlagen sind.',
  },
  claimed: {
    en: 'Disabled, because the account that it acted for was taken over by its owner. If you enable it, it acts for you.',
    de: 'Deaktiviert, weil das zugehörige Konto von seinem Inhaber übernommen wurde. Wenn Sie den Endpunkt aktivieren, handelt er für Sie.',
  },
  remove: { en: 'Delete', de: 'Löschen' },
  removeTitle: { en: 'Delete this endpoint?', de: 'Diesen Endpunkt löschen?' },
  removeAbout: {
    en: 'No more events are sent, and its deliveries are deleted.',
    de: 'Es werden keine Ereignisse mehr gesendet, und seine Zustellungen werden gelöscht.',
  },
  more: { en: 'More actions', de: 'Weitere Aktionen' },
  deliveries: { en: 'Deliveries', de: 'Zustellungen' },
  anyStatus: { en: 'All', de: 'Alle' },
  status: { en: 'Status of deliveries', de: 'Status der Zustellungen' },
  noDeliveries: {
    en: 'No deliveries yet. Send a test to check the receiver.',
    de: 'Noch keine Zustellungen. Senden Sie einen Test, um den Empfänger zu prüfen.',
  },
  noSuchDeliveries: { en: 'No deliveries with this status.', de: 'Keine Zustellungen mit diesem Status.' },
  next: { en: 'Next attempt', de: 'Nächster Versuch' },
  attempts: {
    en: '{count, plural, =0 {no attempt yet} one {one attempt} other {# attempts}}',
    de: '{count, plural, =0 {noch kein Versuch} one {ein Versuch} other {# Versuche}}',
  },
  attempt: { en: 'Attempt {number}', de: 'Versuch {number}' },
  responded: { en: 'response {status} after {ms} ms', de: 'Antwort {status} nach {ms} ms' },
  noResponse: { en: 'no response: {error}', de: 'keine Antwort: {error}' },
  emptyResponse: { en: '(empty response)', de: '(leere Antwort)' },
  showMore: { en: 'Show more', de: 'Mehr anzeigen' },
} satisfies FeatureTexts;
