/** What the dialog says that asks a person to prove again who they are. */
import type { FeatureTexts } from '../text/feature.ts';

export const texts = {
  intro: {
    en: 'This requires that you signed in within the last 15 minutes.',
    de: 'Dafür müssen Sie sich in den letzten 15 Minuten angemeldet haben.',
  },
  none: {
    en: 'You have no password or passkey to confirm with yet. Open a new link in this browser and set one there; then go on here. Whoever runs the server creates the link:',
    de: 'Sie haben noch weder Passwort noch Passkey zur Bestätigung. Öffnen Sie in diesem Browser einen neuen Link, und legen Sie dort eines fest; danach geht es hier weiter. Wer den Server betreibt, erzeugt den Link mit:',
  },
  noneMail: {
    en: 'You have no password or passkey to confirm with. We can email you a link to set a password. Then sign in with it: this page stays as it is.',
    de: 'Sie haben weder Passwort noch Passkey zur Bestätigung. Wir können Ihnen einen Link senden, mit dem Sie ein Passwort festlegen. Melden Sie sich danach damit an: Diese Seite bleibt, wie sie ist.',
  },
  copy: { en: 'Copy the command', de: 'Befehl kopieren' },
  sent: {
    en: 'A link is on its way to {email}. It expires in ten minutes.',
    de: 'Ein Link an {email} ist unterwegs. Er gilt zehn Minuten.',
  },
  submit: { en: 'Confirm', de: 'Bestätigen' },
} as const satisfies FeatureTexts;
