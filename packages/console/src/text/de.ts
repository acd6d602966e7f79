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

  'signIn.title': 'Anmelden',
  'signIn.email': 'E-Mail-Adresse',
  'signIn.password': 'Passwort',
  'signIn.showPassword': 'Passwort anzeigen',
  'signIn.stay': '30 Tage angemeldet bleiben',
  'signIn.submit': 'Anmelden',
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

  'stepUp.title': 'Bestätigen Sie, dass Sie es sind',
  'stepUp.intro': 'Diese Änderung verlangt eine Anmeldung in den letzten 15 Minuten.',
  'stepUp.none':
    'Diese Änderung verlangt eine Anmeldung in den letzten 15 Minuten, und Sie haben weder Passwort noch Passkey zur Bestätigung. Melden Sie sich mit einem neuen Link an.',
  'stepUp.submit': 'Bestätigen',

  'account.title': 'Anmeldeverfahren',
  'account.password': 'Passwort',
  'account.hasPassword': 'Ein Passwort ist gesetzt.',
  'account.noPassword': 'Kein Passwort ist gesetzt.',
  'account.setPassword': 'Passwort setzen',
  'account.changePassword': 'Ändern',
  'account.savePassword': 'Passwort speichern',
  'account.passwordSet': 'Ihr Passwort ist gesetzt.',
  'account.passkeys': 'Passkeys',
  'account.passkeysAbout':
    'Melden Sie sich mit Fingerabdruck, Gesicht oder Bildschirmsperre an. Ein Passkey zählt als zwei Faktoren.',
  'account.passkeysMissing': 'Dieser Browser kennt keine Passkeys.',
  'account.addPasskey': 'Passkey hinzufügen',
  'account.passkeyName': 'Name',
  'account.passkeyNameHint': 'Um Ihre Passkeys zu unterscheiden, etwa „Laptop“.',
  'account.createPasskey': 'Passkey anlegen',
  'account.removePasskey': 'Passkey {name} entfernen',
  'account.neverUsed': 'nie verwendet',
  'account.lastUsed': 'zuletzt am {date}',
  'account.totp': 'Authenticator-App',
  'account.hasTotp':
    'Nach dem Passwort wird ein Code verlangt. {count, plural, =0 {Kein Wiederherstellungscode ist übrig.} one {Ein Wiederherstellungscode ist übrig.} other {# Wiederherstellungscodes sind übrig.}}',
  'account.noTotp':
    'Fügen Sie einen zweiten Faktor hinzu: einen sechsstelligen Code aus einer App auf Ihrem Telefon.',
  'account.setUpTotp': 'Einrichten',
  'account.newCodes': 'Neue Wiederherstellungscodes',
  'account.scan': 'Lesen Sie den Code mit Ihrer App ein, oder tippen Sie dieses Geheimnis ab:',
  'account.qrCode': 'QR-Code des Geheimnisses',
  'account.confirmTotp': 'Fertigstellen',
  'account.codesShownOnce':
    'Bewahren Sie diese Wiederherstellungscodes sicher auf. Sie werden nur jetzt gezeigt; jeder gilt einmal.',
  'account.copyCodes': 'Codes kopieren',
  'account.codesKept': 'Ich habe sie aufbewahrt',
  'account.connected': 'Mit Ihrem Konto dort verbunden.',
  'account.notConnected': 'Verbinden Sie Ihr Konto dort, um sich damit anzumelden.',
  'account.connect': 'Verbinden',
  'account.disconnect': 'Trennen',

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

  'missing.scope': 'Dieser Anmeldung fehlen die Scopes {scopes}.',
  'missing.module': 'Das Modul {module} ist in dieser Organisation ausgeschaltet.',
  'missing.recent': 'Dies verlangt eine Anmeldung in den letzten 15 Minuten.',
  'missing.read': 'Die Rolle {role} darf diese Einträge nicht lesen.',
  'missing.create': 'Die Rolle {role} darf solche Einträge nicht anlegen.',
  'missing.update': 'Die Rolle {role} darf diese Einträge nicht ändern.',
  'missing.delete': 'Die Rolle {role} darf diese Einträge nicht löschen.',
  'missing.publish': 'Die Rolle {role} darf diese Einträge nicht veröffentlichen.',
  'missing.override': 'Die Rolle {role} darf dies nicht übergehen.',

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
  'keys.save': 'Eintrag speichern',
  'keys.close': 'Dialog schließen',
  'keys.single': 'Tastenkürzel ohne Strg',

  'home.title': 'Start',
  'home.greeting': 'Hallo, {name}',
  'home.missingFactor': 'Sie sind über einen Link hereingekommen',
  'home.missingFactorAbout': 'Links gelten einmal. Um ohne einen wiederzukommen:',
  'home.setFactor': 'Passwort setzen oder Passkey hinzufügen',

  'record.new': '{name} anlegen',

  'notFound.title': 'Seite nicht gefunden',
  'notFound.about': 'Unter dieser Adresse gibt es nichts, oder Sie dürfen es nicht sehen.',
  'notFound.home': 'Zur Startseite',

  'failure.title': 'Dies kann gerade nicht gezeigt werden',

  'problem.unexpected': 'Auf dieser Seite ist etwas schiefgegangen. Laden Sie sie neu.',
  'problem.unreachable':
    'Der Server ist nicht erreichbar. Prüfen Sie die Verbindung und versuchen Sie es erneut.',
  'problem.unexpected_answer':
    'Der Server hat eine Antwort gegeben, die diese Seite nicht versteht. Versuchen Sie es erneut.',
  'problem.sign_in_failed': 'Das hat nicht geklappt. Prüfen Sie die Eingabe, oder melden Sie sich anders an.',
  'problem.challenge_invalid':
    'Dieser Schritt dauerte länger als zehn Minuten oder ist schon getan. Beginnen Sie neu.',
  'problem.link_invalid': 'Der Link gilt nicht mehr.',
  'problem.session_invalid': 'Sie sind nicht mehr angemeldet. Melden Sie sich neu an.',
  'problem.rate_limited':
    'Zu viele Versuche. Warten Sie {seconds, plural, one {eine Sekunde} other {# Sekunden}} und versuchen Sie es erneut.',
  'problem.overloaded': 'Der Server ist ausgelastet. Versuchen Sie es gleich noch einmal.',
  'problem.internal_error':
    'Der Server hat einen Fehler. Versuchen Sie es erneut; sein Protokoll nennt den Grund.',
};
