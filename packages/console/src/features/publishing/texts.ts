/** What the question before issues are published says. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  countingArticles: { en: 'Looking what goes live…', de: 'Es wird ermittelt, was erscheint…' },
  holds: {
    en: '{count, plural, =0 {No articles are} one {# article is} other {# articles are}} in {issues, plural, one {the issue} other {the issues}}.',
    de: '{issues, plural, one {Die Ausgabe enthält} other {Die Ausgaben enthalten}} {count, plural, =0 {keine Artikel} one {# Artikel} other {# Artikel}}.',
  },
  goLive: {
    en: '{count, plural, one {# is not published yet, and goes live now:} other {# are not published yet, and go live now:}}',
    de: '{count, plural, one {# ist noch nicht veröffentlicht und erscheint jetzt:} other {# sind noch nicht veröffentlicht und erscheinen jetzt:}}',
  },
  inTheWay: {
    en: '{count, plural, one {# is neither approved nor published, and keeps its issue from being published:} other {# are neither approved nor published, and keep their issue from being published:}}',
    de: '{count, plural, one {# ist weder freigegeben noch veröffentlicht; seine Ausgabe kann deshalb nicht veröffentlicht werden:} other {# sind weder freigegeben noch veröffentlicht; ihre Ausgabe kann deshalb nicht veröffentlicht werden:}}',
  },
  refused: {
    en: 'Not possible while {count, plural, one {an article is} other {# articles are}} not approved.',
    de: 'Nicht möglich, solange {count, plural, one {ein Artikel nicht freigegeben ist} other {# Artikel nicht freigegeben sind}}.',
  },
  withoutText: {
    en: '{count, plural, one {# has no text:} other {# have no text:}}',
    de: '{count, plural, one {# hat keinen Text:} other {# haben keinen Text:}}',
  },
  notFound: {
    en: '{count, plural, one {One article} other {# articles}} cannot be found: deleted, or not visible to you.',
    de: '{count, plural, one {Ein Artikel ist} other {# Artikel sind}} nicht zu finden: gelöscht oder für Sie nicht sichtbar.',
  },
  further: { en: '… and more', de: '… und weitere' },
  lookedAtFirst: {
    en: 'Only the first {count} articles were looked at.',
    de: 'Nur die ersten {count} Artikel wurden angesehen.',
  },
} satisfies FeatureTexts;
