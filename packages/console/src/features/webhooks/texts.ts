/** What the pages of webhooks say. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  about: {
    en: 'Trellis calls these addresses when something happens, at least once for each event.',
    de: 'Trellis ruft diese Adressen auf, wenn etwas geschieht, für jedes Ereignis mindestens einmal.',
  },
  add: { en: 'New endpoint', de: 'Neuer Endpunkt' },
  edit: { en: 'Edit', de: 'Bearbeiten' },
  none: { en: 'No endpoints yet', de: 'Noch keine Endpunkte' },
  noneAbout: {
    en: 'Add the address of a program that is to learn of changes, such as one that rebuilds your website.',
    de: 'Tragen Sie die Adresse eines Programms ein, das von Änderungen erfahren soll, etwa eines, das Ihre Website neu baut.',
  },
  url: { en: 'Address', de: 'Adresse' },
  urlAbout: {
    en: 'An https address on the public Internet.',
    de: 'Eine https-Adresse im öffentlichen Internet.',
  },
  types: { en: 'Events', de: 'Ereignisse' },
  typesAbout: {
    en: 'Single events, all of a kind, or everything. Search by name or code.',
    de: 'Einzelne Ereignisse, alle einer Art, oder alle. Suchen Sie nach Namen oder Code.',
  },
  noType: { en: 'No event is called that.', de: 'Kein Ereignis heißt so.' },
  payload: { en: 'What is sent', de: 'Was gesendet wird' },
  thin: { en: 'What changed and where to read it', de: 'Was sich geändert hat und wo es zu lesen ist' },
  full: { en: 'The record, too', de: 'Auch der Eintrag' },
  description: { en: 'Purpose', de: 'Zweck' },
  save: { en: 'Save', de: 'Speichern' },
  create: { en: 'Create the endpoint', de: 'Endpunkt anlegen' },
  test: { en: 'Send a test', de: 'Test senden' },
  tested: {
    en: 'A test is on its way. Its result appears below.',
    de: 'Ein Test ist unterwegs. Sein Ergebnis erscheint unten.',
  },
  pause: { en: 'Pause', de: 'Anhalten' },
  enable: { en: 'Enable', de: 'Einschalten' },
  paused: {
    en: 'Paused: nothing is sent, and events of this time are not queued. Send them by a replay later.',
    de: 'Angehalten: Es wird nichts gesendet, und Ereignisse dieser Zeit werden nicht vorgemerkt. Senden Sie sie später erneut.',
  },
  gone: {
    en: 'Switched off, because the receiver answered 410: it is gone.',
    de: 'Abgeschaltet, weil der Empfänger mit 410 geantwortet hat: Es gibt ihn nicht mehr.',
  },
  failing: {
    en: 'Switched off, because all calls failed for five days.',
    de: 'Abgeschaltet, weil fünf Tage lang alle Aufrufe gescheitert sind.',
  },
  claimed: {
    en: 'Switched off, because the account that it acted for was taken over by its owner. Whoever enables it makes it act for themselves.',
    de: 'Abgeschaltet, weil das Konto, für das er handelte, von seinem Inhaber übernommen wurde. Wer ihn einschaltet, lässt ihn für sich selbst handeln.',
  },
  rotate: { en: 'Replace the secret', de: 'Geheimnis erneuern' },
  rotateAbout: {
    en: 'You get a new secret. Calls are signed with both for 24 hours, so that you can exchange it without a break.',
    de: 'Sie bekommen ein neues Geheimnis. Aufrufe werden 24 Stunden lang mit beiden signiert, damit Sie es ohne Unterbrechung austauschen können.',
  },
  replay: { en: 'Send events again', de: 'Ereignisse erneut senden' },
  replayAbout: {
    en: 'Sends what was logged in this time, also what was delivered before, under the same ids; at most 10,000 events.',
    de: 'Sendet, was in dieser Zeit protokolliert wurde, auch bereits Zugestelltes, unter denselben Kennungen; höchstens 10.000 Ereignisse.',
  },
  replayFrom: { en: 'From', de: 'Von' },
  replayTo: { en: 'To', de: 'Bis' },
  replayStart: { en: 'Send', de: 'Senden' },
  replayed: {
    en: '{count, plural, =0 {Nothing was logged in this time.} one {One event is being sent.} other {# events are being sent.}}',
    de: '{count, plural, =0 {In dieser Zeit wurde nichts protokolliert.} one {Ein Ereignis wird gesendet.} other {# Ereignisse werden gesendet.}}',
  },
  remove: { en: 'Delete', de: 'Löschen' },
  removeTitle: { en: 'Delete this endpoint?', de: 'Diesen Endpunkt löschen?' },
  removeAbout: {
    en: 'Nothing more is sent, and its deliveries are forgotten.',
    de: 'Es wird nichts mehr gesendet, und seine Zustellungen werden vergessen.',
  },
  more: { en: 'More actions', de: 'Weitere Aktionen' },
  deliveries: { en: 'Deliveries', de: 'Zustellungen' },
  anyStatus: { en: 'All', de: 'Alle' },
  status: { en: 'Which deliveries', de: 'Welche Zustellungen' },
  noDeliveries: {
    en: 'Nothing was sent yet. Send a test to see whether the receiver answers.',
    de: 'Noch wurde nichts gesendet. Senden Sie einen Test, um zu sehen, ob der Empfänger antwortet.',
  },
  noSuchDeliveries: { en: 'No delivery is in this state.', de: 'Keine Zustellung ist in diesem Zustand.' },
  retry: { en: 'Send again', de: 'Erneut senden' },
  next: { en: 'Next attempt', de: 'Nächster Versuch' },
  attempts: {
    en: '{count, plural, =0 {no attempt yet} one {one attempt} other {# attempts}}',
    de: '{count, plural, =0 {noch kein Versuch} one {ein Versuch} other {# Versuche}}',
  },
  attempt: { en: 'Attempt {number}', de: 'Versuch {number}' },
  answered: { en: 'answered {status} after {ms} ms', de: 'Antwort {status} nach {ms} ms' },
  unanswered: { en: 'no answer: {error}', de: 'keine Antwort: {error}' },
  emptyAnswer: { en: '(empty answer)', de: '(leere Antwort)' },
  showMore: { en: 'Show more', de: 'Mehr zeigen' },
} satisfies FeatureTexts;
