/** What the pages say about saved views. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  views: { en: 'Views', de: 'Ansichten' },
  current: { en: 'View: {name}', de: 'Ansicht: {name}' },
  mine: { en: 'My views', de: 'Meine Ansichten' },
  shared: { en: 'Shared views', de: 'Geteilte Ansichten' },
  none: { en: 'No views yet', de: 'Noch keine Ansichten' },
  noneAbout: {
    en: 'A view saves the search, filters, sorting and columns of this list.',
    de: 'Eine Ansicht speichert Suche, Filter, Sortierung und Spalten dieser Liste.',
  },
  showAll: { en: 'List without a view', de: 'Liste ohne Ansicht' },
  saveAs: { en: 'Save as new view …', de: 'Als neue Ansicht speichern …' },
  edit: { en: 'Name and sharing …', de: 'Name und Freigabe …' },
  copyLink: { en: 'Copy link', de: 'Link kopieren' },
  linkCopied: { en: 'Link copied.', de: 'Link kopiert.' },
  linkFailed: { en: 'The browser does not allow copying.', de: 'Der Browser erlaubt das Kopieren nicht.' },
  delete: { en: 'Delete …', de: 'Löschen …' },
  manage: { en: 'All views', de: 'Alle Ansichten' },
  changed: { en: '“{name}” has unsaved changes.', de: '„{name}“ hat ungespeicherte Änderungen.' },
  save: { en: 'Save', de: 'Speichern' },
  reset: { en: 'Reset', de: 'Zurücksetzen' },
  saved: { en: 'View saved.', de: 'Ansicht gespeichert.' },
  dropped: {
    en: '“{name}” refers to fields that no longer exist. They are ignored: {names}.',
    de: '„{name}“ enthält Felder, die es nicht mehr gibt. Sie werden ignoriert: {names}.',
  },
  missing: {
    en: 'This view was deleted, or you do not have access to it. The list shows what the address specifies.',
    de: 'Diese Ansicht wurde gelöscht, oder Sie haben keinen Zugriff darauf. Die Liste zeigt, was in der Adresse steht.',
  },
  missingPage: {
    en: 'It was deleted, or you do not have access to it.',
    de: 'Sie wurde gelöscht, oder Sie haben keinen Zugriff darauf.',
  },
  dismiss: { en: 'Dismiss', de: 'Ausblenden' },
  newTitle: { en: 'New view', de: 'Neue Ansicht' },
  editTitle: { en: 'Name and sharing', de: 'Name und Freigabe' },
  name: { en: 'Name', de: 'Name' },
  namePlaceholder: { en: 'What the view shows', de: 'Was die Ansicht zeigt' },
  nameMissing: { en: 'A view needs a name.', de: 'Eine Ansicht braucht einen Namen.' },
  nameTaken: {
    en: 'A view with this name already exists.',
    de: 'Eine Ansicht mit diesem Namen gibt es bereits.',
  },
  share: { en: 'Share with everyone', de: 'Mit allen teilen' },
  shareAbout: {
    en: 'Everyone who can read this list sees the view. Otherwise it is private.',
    de: 'Alle, die diese Liste lesen dürfen, sehen die Ansicht. Andernfalls ist sie privat.',
  },
  sharingRefused: {
    en: 'Sharing requires a role that can publish views.',
    de: 'Zum Teilen ist eine Rolle erforderlich, die Ansichten veröffentlichen darf.',
  },
  notYours: {
    en: 'Only its owner and administrators can do this.',
    de: 'Das dürfen nur der Eigentümer und Administratoren.',
  },
  kept: {
    en: 'Not saved yet. The change is stored in this browser and sent as soon as the server can be reached.',
    de: 'Noch nicht gespeichert. Die Änderung bleibt in diesem Browser und wird gesendet, sobald der Server erreichbar ist.',
  },
} as const satisfies FeatureTexts;
