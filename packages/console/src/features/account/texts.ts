/** What the page of one's sign-in methods says. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  password: { en: 'Password', de: 'Passwort' },
  hasPassword: { en: 'A password is set.', de: 'Ein Passwort ist festgelegt.' },
  noPassword: { en: 'No password is set.', de: 'Es ist kein Passwort festgelegt.' },
  setPassword: { en: 'Set password', de: 'Passwort festlegen' },
  changePassword: { en: 'Change', de: 'Ändern' },
  savePassword: { en: 'Save password', de: 'Passwort speichern' },
  currentPassword: { en: 'Current password', de: 'Aktuelles Passwort' },
  savePasswordByPasskey: { en: 'Save with a passkey instead', de: 'Stattdessen mit Passkey speichern' },
  passwordSet: { en: 'Your password is set.', de: 'Ihr Passwort ist festgelegt.' },
  passkeys: { en: 'Passkeys', de: 'Passkeys' },
  passkeysAbout: {
    en: 'Sign in with your fingerprint, face or screen lock. A passkey counts as two factors.',
    de: 'Melden Sie sich mit Fingerabdruck, Gesicht oder Bildschirmsperre an. Ein Passkey zählt als zwei Faktoren.',
  },
  passkeysMissing: {
    en: 'This browser does not support passkeys.',
    de: 'Dieser Browser unterstützt keine Passkeys.',
  },
  addPasskey: { en: 'Add a passkey', de: 'Passkey hinzufügen' },
  passkeyName: { en: 'Name', de: 'Name' },
  passkeyNameHint: {
    en: 'A name to recognize it by, such as “Laptop”.',
    de: 'Ein Name zum Wiedererkennen, zum Beispiel „Laptop“.',
  },
  createPasskey: { en: 'Create passkey', de: 'Passkey anlegen' },
  removePasskey: { en: 'Remove passkey {name}', de: 'Passkey {name} entfernen' },
  neverUsed: { en: 'never used', de: 'nie verwendet' },
  lastUsed: { en: 'last used {date}', de: 'zuletzt verwendet am {date}' },
  totp: { en: 'Authenticator app', de: 'Authenticator-App' },
  hasTotp: {
    en: 'A code is required after the password. {count, plural, =0 {No recovery codes left.} one {One recovery code left.} other {# recovery codes left.}}',
    de: 'Nach dem Passwort ist ein Code erforderlich. {count, plural, =0 {Keine Wiederherstellungscodes übrig.} one {Noch ein Wiederherstellungscode übrig.} other {Noch # Wiederherstellungscodes übrig.}}',
  },
  noTotp: {
    en: 'Add a second factor: a six-digit code from an app on your phone.',
    de: 'Fügen Sie einen zweiten Faktor hinzu: einen sechsstelligen Code aus einer App auf Ihrem Telefon.',
  },
  setUpTotp: { en: 'Set up', de: 'Einrichten' },
  newCodes: { en: 'New recovery codes', de: 'Neue Wiederherstellungscodes' },
  scan: {
    en: 'Scan the QR code with your app, or enter this setup key:',
    de: 'Scannen Sie den QR-Code mit Ihrer App, oder geben Sie diesen Schlüssel ein:',
  },
  qrCode: { en: 'QR code of the setup key', de: 'QR-Code des Schlüssels' },
  wrongCode: {
    en: 'The code is not correct. Check that the clock of your phone is right.',
    de: 'Der Code ist nicht richtig. Prüfen Sie, ob die Uhr Ihres Telefons richtig geht.',
  },
  confirmTotp: { en: 'Finish', de: 'Fertig' },
  codesShownOnce: {
    en: 'Save these recovery codes in a safe place. They will not be shown again; each works once.',
    de: 'Bewahren Sie diese Wiederherstellungscodes sicher auf. Sie werden nicht noch einmal angezeigt; jeder gilt nur einmal.',
  },
  copyCodes: { en: 'Copy codes', de: 'Codes kopieren' },
  codesKept: { en: 'I have saved them', de: 'Ich habe sie gespeichert' },
  connected: { en: 'Connected to your account.', de: 'Mit Ihrem Konto verbunden.' },
  notConnected: {
    en: 'Connect your account to sign in with it.',
    de: 'Verbinden Sie Ihr Konto, um sich damit anzumelden.',
  },
  connect: { en: 'Connect', de: 'Verbinden' },
  disconnect: { en: 'Disconnect', de: 'Trennen' },
} satisfies FeatureTexts;
