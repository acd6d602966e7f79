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
  hasAccount: { en: 'I already have an account', de: 'Ich habe schon ein Konto' },
  accountExists: {
    en: 'This address already has an account. Sign in to accept the invitation.',
    de: 'Zu dieser Adresse gibt es schon ein Konto. Melden Sie sich an, um die Einladung anzunehmen.',
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
  member: { en: 'You are already a member.', de: 'Sie sind schon Mitglied.' },
  open: { en: 'Open the console', de: 'Konsole öffnen' },
  usedTitle: { en: 'This invitation is no longer valid', de: 'Diese Einladung ist nicht mehr gültig' },
  used: {
    en: 'It has been used or revoked, or has expired.',
    de: 'Sie wurde bereits verwendet oder widerrufen, oder sie ist abgelaufen.',
  },
  another: {
    en: 'Ask for a new invitation. If you have already joined, sign in.',
    de: 'Bitten Sie um eine neue Einladung. Wenn Sie schon beigetreten sind, melden Sie sich an.',
  },
} satisfies FeatureTexts;
