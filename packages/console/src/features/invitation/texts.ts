/** What the page of an invitation says. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  title: { en: 'Join {organization}', de: '{organization} beitreten' },
  intro: {
    en: '{sender} invites {email} to become a member with the role {role}.',
    de: '{sender} lädt {email} ein, Mitglied mit der Rolle {role} zu werden.',
  },
  name: { en: 'Your name', de: 'Ihr Name' },
  submit: { en: 'Create account and join', de: 'Konto anlegen und beitreten' },
  hasAccount: { en: 'I have an account already', de: 'Ich habe schon ein Konto' },
  accountExists: {
    en: 'There is an account with this address already. Sign in to it to accept the invitation.',
    de: 'Zu dieser Adresse gibt es schon ein Konto. Melden Sie sich damit an, um die Einladung anzunehmen.',
  },
  signIn: { en: 'Sign in', de: 'Anmelden' },
  accept: { en: 'Accept the invitation', de: 'Einladung annehmen' },
  asYou: {
    en: 'You are signed in as {email}.',
    de: 'Sie sind als {email} angemeldet.',
  },
  otherAccount: {
    en: 'You are signed in as {email}, but the invitation is for {invited}. Sign out to accept it.',
    de: 'Sie sind als {email} angemeldet, die Einladung gilt aber {invited}. Melden Sie sich ab, um sie anzunehmen.',
  },
  signOut: { en: 'Sign out', de: 'Abmelden' },
  member: { en: 'You are a member already.', de: 'Sie sind schon Mitglied.' },
  open: { en: 'Open the console', de: 'Konsole öffnen' },
  usedTitle: { en: 'This invitation cannot be used', de: 'Diese Einladung gilt nicht mehr' },
  used: {
    en: 'It was used or withdrawn, or has expired.',
    de: 'Sie wurde schon benutzt oder zurückgezogen, oder sie ist abgelaufen.',
  },
  another: {
    en: 'Ask whoever invited you to send it again. If you have joined already, sign in.',
    de: 'Bitten Sie um eine neue Einladung. Wenn Sie schon beigetreten sind, melden Sie sich an.',
  },
} satisfies FeatureTexts;
