/** The German texts, in ICU MessageFormat. */
import type { en } from './en.ts';

export const de: Readonly<Record<keyof typeof en, string>> = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  copied: 'Kopiert',
  loading: 'Wird geladen',
  remove: 'Entfernen',
  retry: 'Erneut versuchen',
  signOut: 'Abmelden',

  'storage.unreadable':
    '{count, plural, one {Ein Eintrag} other {# Einträge}} im Speicher dieses Browsers {count, plural, one {ließ} other {ließen}} sich nicht öffnen; niemand kann sagen, von wem {count, plural, one {er ist. Er wurde} other {sie sind. Sie wurden}} entfernt, und nichts davon wurde gesendet.',
  'otherUser.title': 'Jemand anderes hat sich angemeldet',
  'otherUser.about':
    '{name} hat sich mit diesem Browser in einem anderen Tab angemeldet. Was hier offen war, ist geschlossen, und für die Person davor wird nichts mehr gesendet.',
  'otherUser.signedIn': 'Angemeldet: {email}',
  'otherUser.proceed': 'Als {name} weiterarbeiten',
  'otherUser.signOut': 'Als jemand anderes anmelden',
  'signIn.title': 'Anmelden',
  'signIn.email': 'E-Mail-Adresse',
  'signIn.password': 'Passwort',
  'signIn.showPassword': 'Passwort anzeigen',
  'signIn.stay': '30 Tage angemeldet bleiben',
  'signIn.submit': 'Anmelden',
  'signIn.resetEndsWait': 'Ein Link für ein neues Passwort wirkt ohne Wartezeit.',
  'signIn.reset': 'Neues Passwort setzen',
  'signIn.forgot': 'Passwort vergessen?',
  'signIn.or': 'oder',
  'signIn.passkey': 'Passkey verwenden',
  'signIn.provider': 'Weiter mit {name}',

  'secondFactor.title': 'Code eingeben',
  'secondFactor.intro': 'Öffnen Sie Ihre Authenticator-App und geben Sie die sechs Ziffern für Trellis ein.',
  'secondFactor.recoveryIntro':
    'Geben Sie einen der Wiederherstellungscodes ein, die Sie aufbewahrt haben. Jeder gilt einmal.',
  'secondFactor.code': 'Sechsstelliger Code',
  'secondFactor.recoveryCode': 'Wiederherstellungscode',
  'secondFactor.submit': 'Weiter',
  'secondFactor.useRecovery': 'Wiederherstellungscode verwenden',
  'secondFactor.useCode': 'Authenticator-App verwenden',
  'secondFactor.again': 'Neu anmelden',

  'link.title': 'Mit diesem Link anmelden',
  'link.intro': 'Der Link gilt einmal. Er meldet Sie in diesem Browser an.',
  'link.submit': 'Anmelden',
  'link.usedTitle': 'Dieser Link gilt nicht mehr',
  'link.used': 'Er wurde schon verwendet oder ist älter als zehn Minuten.',
  'link.another':
    'Starten Sie den Server mit npm start neu, er gibt dann einen neuen Link aus, oder bitten Sie den Betreiber des Servers um einen:',
  'link.otherwise': 'Anders anmelden',

  'forgot.title': 'Neues Passwort setzen',
  'forgot.intro': 'Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort setzen.',
  'forgot.submit': 'Link senden',
  'forgot.sent': 'Wenn es ein Konto für {email} gibt, ist ein Link unterwegs. Er gilt zehn Minuten.',
  'forgot.noMail':
    'Dieser Server versendet keine E-Mails. Bitten Sie seinen Betreiber um einen Link, der Sie anmeldet:',
  'forgot.back': 'Zurück zur Anmeldung',

  'reset.title': 'Neues Passwort setzen',
  'reset.submit': 'Passwort setzen',
  'reset.done': 'Ihr neues Passwort ist gesetzt. Sie sind überall abgemeldet.',
  'reset.used': 'Der Link wurde schon verwendet oder ist älter als zehn Minuten.',
  'reset.another': 'Neuen Link anfordern',

  'newPassword.label': 'Neues Passwort',
  'newPassword.length': 'Ein Passwort hat 12 bis 1.024 Zeichen.',
  'newPassword.common':
    'Dieses Passwort würde früh ausprobiert. Nehmen Sie ein anderes, etwa vier zufällige Wörter.',
  'newPassword.personal':
    'Dieses Passwort besteht aus Bekanntem wie der E-Mail-Adresse oder dem Namen. Nehmen Sie ein anderes, etwa vier zufällige Wörter.',
  'newPassword.hint': 'Mindestens 12 Zeichen. Einige zufällige Wörter lassen sich gut merken.',

  'external.title': 'Anmeldung',
  'external.waiting': 'Einen Moment …',
  'external.unknown': 'Dieser Tab hat keine Anmeldung begonnen. Beginnen Sie auf der Anmeldeseite.',

  'organization.title': 'Organisation auswählen',
  'organization.none': 'Noch keine Organisation',
  'organization.noneAbout':
    'Sie sind in keiner aktiven Organisation Mitglied. Bitten Sie einen Administrator, Sie aufzunehmen.',
  'organization.signedInAs': 'Angemeldet als {email}.',
  'organization.switch': 'Organisation {name}. Zu einer anderen wechseln',
  'organization.needsSecondFactor':
    'Organisationen mit einem Schloss verlangen zwei Faktoren. Melden Sie sich mit einem Passkey an oder mit Passwort und Code.',

  'signInAgain.title': 'Erneut anmelden',
  'signInAgain.intro': 'Ihre Sitzung ist beendet. Was Sie eingegeben haben, ist nach der Anmeldung noch da.',
  'stepUp.title': 'Bestätigen Sie, dass Sie es sind',
  'stepUp.intro': 'Dies verlangt eine Anmeldung in den letzten 15 Minuten.',
  'stepUp.none':
    'Dies verlangt eine Anmeldung in den letzten 15 Minuten, und Sie haben weder Passwort noch Passkey zur Bestätigung. Richten Sie zuerst eines davon ein, oder melden Sie sich mit einem neuen Link an. Wer den Server betreibt, erhält ihn mit:',
  'stepUp.setUp': 'Passwort oder Passkey einrichten',
  'stepUp.submit': 'Bestätigen',

  'account.title': 'Anmeldeverfahren',

  'shell.skip': 'Zum Inhalt springen',
  'shell.menu': 'Menü',
  'shell.navigation': 'Hauptnavigation',
  'person.menu': 'Konto',
  'theme.title': 'Darstellung',
  'theme.auto': 'Wie das System',
  'theme.light': 'Hell',
  'theme.dark': 'Dunkel',

  'module.cms': 'Inhalte',
  'module.publishing': 'Verlag',
  'module.knowledge': 'Wissen',
  'module.crm': 'Kunden',
  'module.visitors': 'Besucher',
  'module.sandbox': 'Sandbox',
  'module.none': 'Organisation',

  'missing.operation': 'Diese Einträge werden nicht hier geändert.',
  'missing.scope': 'Dieser Anmeldung fehlen die Scopes {scopes}.',
  'missing.module': 'Das Modul {module} ist in dieser Organisation ausgeschaltet.',
  'missing.recent': 'Dies verlangt eine Anmeldung in den letzten 15 Minuten.',
  'missing.read': 'Die Rolle {role} darf diese Einträge nicht lesen.',
  'missing.create': 'Die Rolle {role} darf solche Einträge nicht anlegen.',
  'missing.update': 'Die Rolle {role} darf diese Einträge nicht ändern.',
  'missing.delete': 'Die Rolle {role} darf diese Einträge nicht löschen.',
  'missing.publish': 'Die Rolle {role} darf diese Einträge nicht veröffentlichen.',

  'palette.open': 'Suchen',
  'palette.placeholder': 'Seiten, Befehle und Einträge suchen',
  'palette.screens': 'Seiten',
  'palette.commands': 'Befehle',
  'palette.none': 'Nichts gefunden für „{query}“.',
  'palette.failed': 'Einige Einträge konnten nicht durchsucht werden.',

  'keys.title': 'Tastenkürzel',
  'keys.palette': 'Seiten und Einträge suchen',
  'keys.help': 'Diese Liste zeigen',
  'keys.search': 'In einer Liste suchen',
  'keys.new': 'Neuer Eintrag in einer Liste',
  'keys.select': 'Zeilen auswählen, mit Umschalt mehrere',
  'keys.save': 'Eintrag speichern',
  'keys.close': 'Dialog schließen',
  'keys.single': 'Tastenkürzel ohne Strg',

  'home.title': 'Start',
  'import.title': 'Importieren',
  'home.greeting': 'Hallo, {name}',
  'home.missingFactor': 'Sie sind über einen Link hereingekommen',
  'home.missingFactorAbout': 'Links gelten einmal. Um ohne einen wiederzukommen:',
  'home.setFactor': 'Passwort setzen oder Passkey hinzufügen',

  'events.title': 'Aktivität',
  'settings.title': 'Einstellungen',
  'sessions.title': 'Sitzungen',
  'visitors.title': 'Besucher',

  'record.new': '{name} anlegen',
  'record.edit': 'Bearbeiten',

  yes: 'Ja',
  no: 'Nein',

  'list.search': '{name} durchsuchen',
  'list.clearSearch': 'Suche leeren',
  'list.tooShort': 'Geben Sie mindestens {count} Zeichen ein.',
  'list.filter': 'Filter',
  'list.removeFilter': 'Filter {name} entfernen',
  'list.columns': 'Spalten',
  'list.clear': 'Suche und Filter leeren',
  'list.noMatch': 'Keine Treffer',
  'list.noMatchAbout': 'Kein Eintrag hat, was Suche und Filter verlangen.',
  'list.empty': 'Noch keine {name}',
  'list.emptyAbout': 'Legen Sie hier den ersten Eintrag an, oder importieren Sie viele aus einer Datei.',
  'list.forbidden': 'Das dürfen Sie nicht sehen',
  'list.noParent': 'Zuerst fehlt: {parent}',
  'list.noParentAbout': '{name} gehören zu: {parent}. Davon gibt es noch nichts.',
  'select.none': 'Nichts gefunden',

  'form.add': 'Hinzufügen',
  'form.addTo': 'Zu {label} hinzufügen',
  'form.up': '{label} {position} nach oben',
  'form.down': '{label} {position} nach unten',
  'form.remove': '{label} {position} entfernen',
  'form.removeName': '{name} entfernen',

  'record.create': 'Anlegen',
  'record.save': 'Speichern',
  'record.discard': 'Verwerfen',
  'record.unsaved': 'Ungespeicherte Änderungen',
  'record.more': 'Weitere Aktionen',
  'record.copyId': 'ID kopieren',
  'record.copyRead': 'Als curl kopieren',
  'record.copyChange': 'Änderung als curl kopieren',
  'record.delete': 'Löschen',
  'record.missing': 'Eintrag nicht gefunden',
  'record.invalid': 'Einige Felder brauchen Ihre Aufmerksamkeit.',
  'record.openExisting': 'Den anderen Eintrag öffnen',

  'side.title': 'Über diesen Eintrag',
  'side.version': 'Version',
  'history.title': 'Verlauf',
  'history.none': 'Über diesen Eintrag ist nichts mehr aufgezeichnet.',
  'history.newer': 'Neuere Einträge zeigen',
  'history.you': 'von Ihnen',

  'delete.title': '{name} löschen?',
  'delete.about': 'Das lässt sich nicht rückgängig machen.',
  'delete.inUse': 'Es wird noch verwendet',

  'secret.title': 'Das Geheimnis von {name}',
  'secret.about': 'Bewahren Sie es sicher auf. Es wird nur jetzt gezeigt.',
  'secret.copy': 'Kopieren',
  'secret.kept': 'Ich habe es aufbewahrt',

  'leave.title': 'Ohne Speichern verlassen?',
  'leave.about': 'Ihre Änderungen auf dieser Seite sind nicht gespeichert.',
  'leave.leave': 'Verlassen',
  'leave.stay': 'Auf der Seite bleiben',

  'notFound.title': 'Seite nicht gefunden',
  'notFound.about': 'Unter dieser Adresse gibt es nichts, oder Sie dürfen es nicht sehen.',
  'notFound.home': 'Zur Startseite',

  'failure.title': 'Dies kann gerade nicht gezeigt werden',

  'problem.unexpected': 'Auf dieser Seite ist etwas schiefgegangen. Laden Sie sie neu.',
  'problem.not_stored':
    'Dieser Browser konnte die Änderung nicht aufbewahren, deshalb wurde sie nicht gesendet. Erlauben Sie dieser Seite, Daten zu speichern, oder schaffen Sie Platz, und versuchen Sie es erneut.',
  'problem.earlier_refused':
    'Eine frühere Änderung wurde abgelehnt. Entscheiden Sie zuerst über sie: Sie steht bei den Änderungen, die Sie brauchen.',
  'problem.unreachable':
    'Der Server ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
  'problem.unexpected_answer':
    'Der Server hat eine Antwort gegeben, die diese Seite nicht versteht. Versuchen Sie es erneut.',
  'problem.sign_in_failed': 'Das hat nicht geklappt. Prüfen Sie die Eingabe, oder melden Sie sich anders an.',
  'problem.challenge_invalid':
    'Dieser Schritt dauerte länger als zehn Minuten oder ist schon getan. Beginnen Sie neu.',
  'problem.link_invalid': 'Der Link gilt nicht mehr.',
  'problem.wrong_user':
    'Inzwischen hat sich jemand anderes mit diesem Browser angemeldet. Es wurde nichts getan.',
  'problem.session_invalid': 'Sie sind nicht mehr angemeldet. Melden Sie sich neu an.',
  'problem.rate_limited':
    'Zu viele Versuche. Warten Sie {seconds, plural, one {eine Sekunde} other {# Sekunden}} und versuchen Sie es erneut.',
  'problem.overloaded': 'Der Server ist ausgelastet. Versuchen Sie es gleich noch einmal.',
  'problem.internal_error':
    'Der Server hat einen Fehler. Versuchen Sie es erneut; sein Protokoll nennt den Grund.',
};
