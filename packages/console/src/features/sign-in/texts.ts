/** What the page says on which somebody sets what they sign in with for the first time. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  title: { en: 'Set a password', de: 'Passwort festlegen' },
  intro: {
    en: 'The link worked once. With a password or a passkey you sign in from now on, and confirm your identity where it matters, such as for an invitation.',
    de: 'Der Link galt einmal. Mit einem Passwort oder einem Passkey melden Sie sich künftig an und bestätigen Ihre Identität, wo es darauf ankommt, etwa für eine Einladung.',
  },
  set: { en: 'Set password', de: 'Passwort festlegen' },
  createPasskey: { en: 'Create a passkey instead', de: 'Stattdessen Passkey anlegen' },
  later: { en: 'Later', de: 'Später' },
  laterAbout: {
    en: 'You can do it within 15 minutes, under “Sign-in methods”. After that it takes a new link.',
    de: 'Das geht innerhalb von 15 Minuten unter „Anmeldemethoden“. Danach ist dafür ein neuer Link nötig.',
  },
} as const satisfies FeatureTexts;
