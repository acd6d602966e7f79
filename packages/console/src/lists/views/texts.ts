/** What the pages say about saved views. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  views: { en: 'Views', de: 'Ansichten' },
  current: { en: 'View: {name}', de: 'Ansicht: {name}' },
  mine: { en: 'My views', de: 'Meine Ansichten' },
  shared: { en: 'Shared views', de: 'Geteilte Ansichten' },
  none: { en: 'No views yet', de: 'Noch keine Ansichten' },
  noneAbout: {
    en: 'A view keeps the search, filters, order and columns of this list under a name.',
    de: 'Eine Ansicht merkt sich Suche, Filter, Reihenfolge und Spalten dieser Liste unter einem Namen.',
  },
  showAll: { en: 'List without a view', de: 'Liste ohne Ansicht' },
  saveAs: { en: 'Save as a new view …', de: 'Als neue Ansicht speichern …' },
  edit: { en: 'Name and sharing …', de: 'Name und Freigabe …' },
  copyLink: { en: 'Copy link', de: 'Link kopieren' },
  linkCopied: { en: 'Link copied.', de: 'Link kopiert.' },
  linkFailed: { en: 'The browser does not allow to copy.', de: 'Der Browser lässt das Kopieren nicht zu.' },
  delete: { en: 'Delete …', de: 'Löschen …' },
  manage: { en: 'All views', de: 'Alle Ansichten' },
  changed: { en: '“{name}” has unsaved changes.', de: '„{name}“ hat ungespeicherte Änderungen.' },
  save: { en: 'Save', de: 'Speichern' },
  reset: { en: 'Reset', de: 'Zurücksetzen' },
  saved: { en: 'View saved.', de: 'Ansicht gespeichert.' },
  dropped: {
    en: '“{name}” names what this list no longer has, which is left out: {names}.',
    de: '„{name}“ nennt, was diese Liste nicht mehr hat und was deshalb fehlt: {names}.',
  },
  missing: {
    en: 'The view of this address is gone, or is a private one of somebody else. The list shows what the address says.',
    de: 'Die Ansicht dieser Adresse gibt es nicht mehr, oder sie gehört jemand anderem. Die Liste zeigt, was in der Adresse steht.',
  },
  missingPage: {
    en: 'It was deleted, or is a private one of somebody else.',
    de: 'Sie wurde gelöscht, oder sie gehört jemand anderem.',
  },
  dismiss: { en: 'Dismiss', de: 'Ausblenden' },
  newTitle: { en: 'New view', de: 'Neue Ansicht' },
  editTitle: { en: 'Name and sharing', de: 'Name und Freigabe' },
  name: { en: 'Name', de: 'Name' },
  namePlaceholder: { en: 'What the view shows', de: 'Was die Ansicht zeigt' },
  nameMissing: { en: 'A view needs a name.', de: 'Eine Ansicht braucht einen Namen.' },
  nameTaken: {
    en: 'There is a view of this name already.',
    de: 'Eine Ansicht dieses Namens gibt es schon.',
  },
  share: { en: 'Share with everybody', de: 'Mit allen teilen' },
  shareAbout: {
    en: 'Everybody who may read this list sees the view. Otherwise only its owner does.',
    de: 'Alle, die diese Liste lesen dürfen, sehen die Ansicht. Sonst sieht sie nur, wem sie gehört.',
  },
  sharingRefused: {
    en: 'Sharing needs a role that may publish views.',
    de: 'Zum Teilen braucht man eine Rolle, die Ansichten veröffentlichen darf.',
  },
  notYours: {
    en: 'Only its owner and administrators may do this.',
    de: 'Das dürfen nur Administratoren und wem sie gehört.',
  },
  kept: {
    en: 'Not saved yet. It is kept in this browser and sent as soon as the server can be reached.',
    de: 'Noch nicht gespeichert. Es bleibt in diesem Browser und wird gesendet, sobald der Server erreichbar ist.',
  },
} as const satisfies FeatureTexts;
