/** Texts of the calendar. */
import type { FeatureTexts } from '../../../text/feature.ts';

export const texts = {
  earlier: { en: 'Previous month', de: 'Vorheriger Monat' },
  later: { en: 'Next month', de: 'Nächster Monat' },
  today: { en: 'Today', de: 'Heute' },
  scheduled: { en: 'Scheduled', de: 'Geplant' },
  published: { en: 'Published', de: 'Veröffentlicht' },
  none: { en: 'Nothing in this month', de: 'Nichts in diesem Monat' },
  noneAbout: {
    en: 'Articles that are scheduled or published show up on their day.',
    de: 'Geplante und veröffentlichte Artikel stehen an ihrem Tag.',
  },
  notAll: {
    en: 'There are more than 500 articles, and some are not shown.',
    de: 'Es gibt mehr als 500 Artikel; einige werden nicht gezeigt.',
  },
  more: { en: '{count} more', de: '{count} weitere' },
  fewer: { en: 'Show fewer', de: 'Weniger anzeigen' },
  move: { en: 'Move “{title}”', de: '„{title}“ verschieben' },
  moved: { en: '“{title}” will be published on {date}.', de: '„{title}“ wird am {date} veröffentlicht.' },
  changed: {
    en: '“{title}” was not moved, because someone else changed it. The calendar now shows the current state.',
    de: '„{title}“ wurde nicht verschoben, weil jemand anderes den Artikel geändert hat. Der Kalender zeigt jetzt den aktuellen Stand.',
  },
  refused: { en: '“{title}” was not moved. {reason}', de: '„{title}“ wurde nicht verschoben. {reason}' },
} as const satisfies FeatureTexts;
