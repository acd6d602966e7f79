/** What the page of one's sign-in methods says. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  password: { en: 'Password', de: 'Passwort' },
  hasPassword: { en: 'A password is set.', de: 'Ein Passwort ist gesetzt.' },
  noPassword: { en: 'No password is set.', de: 'Kein Passwort ist gesetzt.' },
  setPassword: { en: 'Set a password', de: 'Passwort setzen' },
  changePassword: { en: 'Change', de: 'Ändern' },
  savePassword: { en: 'Save password', de: 'Passwort speichern' },
  currentPassword: { en: 'Present password', de: 'Bisheriges Passwort' },
  savePasswordByPasskey: { en: 'Save with a passkey instead', de: 'Stattdessen mit Passkey speichern' },
  passwordSet: { en: 'Your password is set.', de: 'Ihr Passwort ist gesetzt.' },
  passkeys: { en: 'Passkeys', de: 'Passkeys' },
  passkeysAbout: {
    en: 'Sign in with your fingerprint, face or screen lock. A passkey counts as two factors.',
    de: 'Melden Sie sich mit Fingerabdruck, Gesicht oder Bildschirmsperre an. Ein Passkey zählt als zwei Faktoren.',
  },
  passkeysMissing: { en: 'This browser has no passkeys.', de: 'Dieser Browser kennt keine Passkeys.' },
  addPasskey: { en: 'Add a passkey', de: 'Passkey hinzufügen' },
  passkeyName: { en: 'Name', de: 'Name' },
  passkeyNameHint: {
    en: 'To tell your passkeys apart, such as “Laptop”.',
    de: 'Um Ihre Passkeys zu unterscheiden, etwa „Laptop“.',
  },
  createPasskey: { en: 'Create the passkey', de: 'Passkey anlegen' },
  removePasskey: { en: 'Remove the passkey {name}', de: 'Passkey {name} entfernen' },
  neverUsed: { en: 'never used', de: 'nie verwendet' },
  lastUsed: { en: 'last used {date}', de: 'zuletzt am {date}' },
  totp: { en: 'Authenticator app', de: 'Authenticator-App' },
  hasTotp: {
    en: 'A code is asked for after the password. {count, plural, =0 {No recovery code is left.} one {One recovery code is left.} other {# recovery codes are left.}}',
    de: 'Nach dem Passwort wird ein Code verlangt. {count, plural, =0 {Kein Wiederherstellungscode ist übrig.} one {Ein Wiederherstellungscode ist übrig.} other {# Wiederherstellungscodes sind übrig.}}',
  },
  noTotp: {
    en: 'Add a second factor: a six-digit code from an app on your phone.',
    de: 'Fügen Sie einen zweiten Faktor hinzu: einen sechsstelligen Code aus einer App auf Ihrem Telefon.',
  },
  setUpTotp: { en: 'Set up', de: 'Einrichten' },
  newCodes: { en: 'New recovery codes', de: 'Neue Wiederherstellungscodes' },
  scan: {
    en: 'Scan the code with your app, or type this secret into it:',
    de: 'Lesen Sie den Code mit Ihrer App ein, oder tippen Sie dieses Geheimnis ab:',
  },
  qrCode: { en: 'QR code of the secret', de: 'QR-Code des Geheimnisses' },
  wrongCode: {
    en: 'This is not the code that belongs to this secret now. Is the clock of your phone right?',
    de: 'Das ist nicht der Code, der jetzt zu diesem Geheimnis gehört. Geht die Uhr Ihres Telefons richtig?',
  },
  confirmTotp: { en: 'Finish', de: 'Fertigstellen' },
  codesShownOnce: {
    en: 'Keep these recovery codes in a safe place. They are shown only now; each works once.',
    de: 'Bewahren Sie diese Wiederherstellungscodes sicher auf. Sie werden nur jetzt gezeigt; jeder gilt einmal.',
  },
  copyCodes: { en: 'Copy the codes', de: 'Codes kopieren' },
  codesKept: { en: 'I have kept them', de: 'Ich habe sie aufbewahrt' },
  connected: { en: 'Connected with your account there.', de: 'Mit Ihrem Konto dort verbunden.' },
  notConnected: {
    en: 'Connect your account there to sign in with it.',
    de: 'Verbinden Sie Ihr Konto dort, um sich damit anzumelden.',
  },
  connect: { en: 'Connect', de: 'Verbinden' },
  disconnect: { en: 'Disconnect', de: 'Trennen' },
} satisfies FeatureTexts;
