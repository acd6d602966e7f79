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
    '{count, plural, one {Ein Eintrag im Speicher dieses Browsers war nicht lesbar und wurde entfernt.} other {# Einträge im Speicher dieses Browsers waren nicht lesbar und wurden entfernt.}} Davon wurde nichts gesendet.',
  'otherUser.title': 'Jemand anderes hat sich angemeldet',
  'otherUser.about':
    '{name} hat sich in einem anderen Tab dieses Browsers angemeldet. Die bisherige Sitzung ist geschlossen, ihre Änderungen werden nicht mehr gesendet.',
  'otherUser.signedIn': 'Angemeldet: {email}',
  'otherUser.proceed': 'Als {name} weiterarbeiten',
  'otherUser.signOut': 'Als jemand anderes anmelden',
  'signIn.title': 'Anmelden',
  'signIn.email': 'E-Mail-Adresse',
  'signIn.password': 'Passwort',
  'signIn.showPassword': 'Passwort anzeigen',
  'signIn.stay': '30 Tage angemeldet bleiben',
  'signIn.submit': 'Anmelden',
  'signIn.resetEndsWait': 'Sie können Ihr Passwort ohne Wartezeit zurücksetzen.',
  'signIn.reset': 'Passwort zurücksetzen',
  'signIn.forgot': 'Passwort vergessen?',
  'signIn.or': 'oder',
  'signIn.passkey': 'Passkey verwenden',
  'signIn.provider': 'Weiter mit {name}',

  'secondFactor.title': 'Code eingeben',
  'secondFactor.intro': 'Geben Sie den sechsstelligen Code für Trellis aus Ihrer Authenticator-App ein.',
  'secondFactor.recoveryIntro': 'Geben Sie einen Ihrer Wiederherstellungscodes ein. Jeder gilt nur einmal.',
  'secondFactor.code': 'Sechsstelliger Code',
  'secondFactor.recoveryCode': 'Wiederherstellungscode',
  'secondFactor.submit': 'Weiter',
  'secondFactor.useRecovery': 'Wiederherstellungscode verwenden',
  'secondFactor.useCode': 'Authenticator-App verwenden',
  'secondFactor.again': 'Neu anmelden',

  'link.title': 'Mit diesem Link anmelden',
  'link.intro': 'Der Link gilt nur einmal und meldet Sie in diesem Browser an.',
  'link.submit': 'Anmelden',
  'link.usedTitle': 'Dieser Link ist nicht mehr gültig',
  'link.used': 'Er wurde bereits verwendet oder ist älter als zehn Minuten.',
  'link.another':
    'Starten Sie die Demo neu, um einen neuen Link zu erhalten, oder fragen Sie den Administrator des Servers:',
  'link.otherwise': 'Auf andere Weise anmelden',

  'forgot.title': 'Neues Passwort festlegen',
  'forgot.intro': 'Wir senden Ihnen einen Link, mit dem Sie ein neues Passwort festlegen können.',
  'forgot.submit': 'Link senden',
  'forgot.sent': 'Falls es ein Konto für {email} gibt, ist ein Link unterwegs. Er gilt zehn Minuten.',
  'forgot.noMail':
    'Dieser Server versendet keine E-Mails. Bitten Sie den Administrator des Servers um einen Anmeldelink:',
  'forgot.back': 'Zurück zur Anmeldung',

  'reset.title': 'Neues Passwort festlegen',
  'reset.submit': 'Passwort festlegen',
  'reset.done': 'Ihr neues Passwort ist festgelegt. Sie wurden überall abgemeldet.',
  'reset.used': 'Der Link wurde bereits verwendet oder ist älter als zehn Minuten.',
  'reset.another': 'Neuen Link anfordern',

  'newPassword.label': 'Neues Passwort',
  'newPassword.length': 'Ein Passwort hat 12 bis 1.024 Zeichen.',
  'newPassword.common':
    'Dieses Passwort ist zu leicht zu erraten. Wählen Sie ein anderes, zum Beispiel vier zufällige Wörter.',
  'newPassword.personal':
    'Dieses Passwort ähnelt Ihrem Namen oder Ihrer E-Mail-Adresse zu sehr. Wählen Sie ein anderes, zum Beispiel vier zufällige Wörter.',
  'newPassword.hint': 'Mindestens 12 Zeichen. Ein paar zufällige Wörter lassen sich gut merken.',

  'external.title': 'Anmeldung',
  'external.waiting': 'Einen Moment …',
  'external.unknown':
    'Diese Anmeldung wurde nicht in diesem Tab begonnen. Beginnen Sie auf der Anmeldeseite neu.',

  'organization.title': 'Organisation auswählen',
  'organization.none': 'Keine Organisation',
  'organization.noneAbout':
    'Sie sind derzeit in keiner Organisation Mitglied, oder Ihr Zugang wurde gesperrt. Fragen Sie einen Administrator der Organisation.',
  'organization.signedInAs': 'Angemeldet als {email}.',
  'organization.switch': 'Organisation {name}. Zu einer anderen wechseln',
  'organization.needsSecondFactor':
    'Organisationen mit Schloss erfordern zwei Faktoren. Melden Sie sich mit einem Passkey oder mit Passwort und Code an.',

  'signInAgain.title': 'Erneut anmelden',
  'signInAgain.intro': 'Ihre Sitzung ist abgelaufen. Melden Sie sich an; Ihre Eingaben bleiben erhalten.',
  'stepUp.title': 'Identität bestätigen',

  'account.title': 'Anmeldemethoden',

  'shell.skip': 'Zum Inhalt springen',
  'shell.menu': 'Menü',
  'shell.navigation': 'Hauptnavigation',
  'person.menu': 'Konto',
  'theme.title': 'Darstellung',
  'theme.auto': 'System',
  'theme.light': 'Hell',
  'theme.dark': 'Dunkel',

  'module.cms': 'Inhalte',
  'module.publishing': 'Verlag',
  'module.knowledge': 'Wissen',
  'module.crm': 'Kunden',
  'module.visitors': 'Besucher',
  'module.sandbox': 'Sandbox',
  'module.none': 'Organisation',

  'missing.operation': 'Diese Einträge können hier nicht geändert werden.',
  'missing.viewed':
    'Die Rolle {role} darf das. Solange Sie die Konsole als diese Rolle sehen, lässt sich nichts ändern.',
  'viewAs.about':
    'Sie sehen die Konsole als Rolle {role}: ihre Seiten und Aktionen, mit den Einträgen, die Sie lesen dürfen. Ändern lässt sich nichts.',
  'viewAs.end': 'Zurück zu meiner Rolle',
  'missing.scope': 'Dieser Anmeldung fehlen Berechtigungen: {scopes}.',
  'missing.module': 'Das Modul {module} ist in dieser Organisation deaktiviert.',
  'missing.recent': 'Dafür müssen Sie sich in den letzten 15 Minuten angemeldet haben.',
  'missing.parent': 'Die Rolle {role} darf {parent} nicht lesen, zu denen diese Einträge gehören.',
  'missing.read': 'Die Rolle {role} darf diese Einträge nicht lesen.',
  'missing.create': 'Die Rolle {role} darf diese Einträge nicht anlegen.',
  'missing.update': 'Die Rolle {role} darf diese Einträge nicht ändern.',
  'missing.delete': 'Die Rolle {role} darf diese Einträge nicht löschen.',
  'missing.publish': 'Die Rolle {role} darf diese Einträge nicht veröffentlichen.',
  'missing.own': 'Das geht nur mit Einträgen, die Sie selbst angelegt haben.',

  'palette.open': 'Suchen',
  'palette.placeholder': 'Seiten, Befehle und Einträge suchen',
  'palette.page': 'Auf dieser Seite',
  'palette.screens': 'Seiten',
  'palette.commands': 'Befehle',
  'palette.organization': 'Einstellungen der Organisation',
  'palette.invite': 'Jemanden einladen',
  'palette.none': 'Keine Ergebnisse für „{query}“.',
  'palette.failed': 'Einige Einträge konnten nicht durchsucht werden.',

  'keys.title': 'Tastenkürzel',

  'home.title': 'Start',
  'import.title': 'Importieren',
  'home.greeting': 'Hallo, {name}',
  'home.missingFactor': 'Sie haben sich mit einem Link angemeldet',
  'home.missingFactorAbout': 'Jeder Link gilt nur einmal. Für die Anmeldung ohne Link:',
  'home.setFactor': 'Passwort festlegen oder Passkey hinzufügen',

  'events.title': 'Aktivität',
  'settings.title': 'Einstellungen',
  'sessions.title': 'Sitzungen',
  'visitors.title': 'Besucher',
  'calendar.title': 'Kalender',
  'pictures.title': 'Bilder',
  'trash.title': 'Papierkorb',

  'record.new': '{name} anlegen',
  'record.edit': 'Bearbeiten',

  yes: 'Ja',
  no: 'Nein',

  'list.search': '{name} durchsuchen',
  'list.clearSearch': 'Suche löschen',
  'list.tooShort': 'Geben Sie mindestens {count} Zeichen ein.',
  'list.columns': 'Spalten',
  'list.clear': 'Suche und Filter löschen',
  'list.noMatch': 'Keine Treffer',
  'list.noMatchAbout': 'Kein Eintrag passt zu Suche und Filtern.',
  'list.empty': 'Noch keine {name}',
  'list.emptyAbout': 'Legen Sie den ersten Eintrag an, oder importieren Sie Einträge aus einer Datei.',
  'list.forbidden': 'Kein Zugriff',
  'list.noParent': '{parent} erforderlich',
  'list.noParentAbout':
    '{name} gehören zu einem übergeordneten Eintrag ({parent}). Legen Sie diesen zuerst an.',
  'select.open': '{name} in einem neuen Tab öffnen',
  'form.unclear': '„{typed}“ ist nicht eindeutig. Bitte aus der Liste wählen.',
  'form.removeName': '{name} entfernen',
  'select.none': 'Nichts gefunden',

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
  'record.invalid': 'Bitte prüfen Sie die markierten Felder.',
  'record.openExisting': 'Anderen Eintrag öffnen',

  'notFound.title': 'Seite nicht gefunden',
  'notFound.about': 'Diese Seite existiert nicht, oder Sie haben keinen Zugriff darauf.',
  'notFound.home': 'Zur Startseite',

  'failure.title': 'Diese Seite kann gerade nicht angezeigt werden',

  'problem.unexpected': 'Etwas ist schiefgelaufen. Laden Sie die Seite neu.',
  'problem.not_stored':
    'Dieser Browser konnte die Änderung nicht speichern, deshalb wurde sie nicht gesendet. Erlauben Sie dieser Website, Daten zu speichern, oder schaffen Sie Platz, und versuchen Sie es erneut.',
  'problem.earlier_refused':
    'Eine frühere Änderung wurde abgelehnt. Klären Sie diese zuerst, in der Liste der ausstehenden Änderungen.',
  'problem.unreachable':
    'Der Server ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
  'problem.unexpected_response': 'Unerwartete Antwort des Servers. Versuchen Sie es erneut.',
  'problem.sign_in_failed':
    'Das hat nicht geklappt. Prüfen Sie Ihre Eingabe, oder melden Sie sich auf andere Weise an.',
  'problem.challenge_invalid':
    'Dieser Schritt ist nach zehn Minuten abgelaufen oder schon abgeschlossen. Beginnen Sie neu.',
  'problem.access_ended':
    'Ihr Zugang zu dieser Organisation wurde gesperrt oder beendet. Ein Administrator der Organisation kann ihn wiederherstellen.',
  'problem.link_invalid': 'Dieser Link ist nicht mehr gültig.',
  'problem.version_mismatch':
    'Dieser Eintrag wurde geändert, seit diese Seite ihn angezeigt hat. Prüfen Sie ihn und versuchen Sie es erneut.',
  'problem.wrong_user': 'In diesem Browser hat sich jemand anderes angemeldet. Es wurde nichts geändert.',
  'problem.session_invalid': 'Ihre Sitzung ist abgelaufen. Melden Sie sich neu an.',
  'problem.rate_limited':
    'Zu viele Versuche. Warten Sie {seconds, plural, one {eine Sekunde} other {# Sekunden}} und versuchen Sie es erneut.',
  'problem.overloaded': 'Der Server ist ausgelastet. Versuchen Sie es gleich noch einmal.',
  'problem.internal_error':
    'Interner Serverfehler. Versuchen Sie es erneut; Details stehen im Protokoll des Servers.',
};
