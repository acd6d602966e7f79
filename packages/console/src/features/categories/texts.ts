/** What the tree of categories says. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  asList: { en: 'As a list', de: 'Als Liste' },
  asTree: { en: 'As a tree', de: 'Als Baum' },
  tree: { en: 'Tree of categories', de: 'Baum der Kategorien' },
  hint: {
    en: 'Drag a category, or use its buttons. With the keyboard: Alt and an arrow.',
    de: 'Ziehen Sie eine Kategorie, oder nehmen Sie ihre Schaltflächen. Mit der Tastatur: Alt und ein Pfeil.',
  },
  tooMany: {
    en: 'There are more than {count, number} categories. The list shows them all.',
    de: 'Es gibt mehr als {count, number} Kategorien. Die Liste zeigt alle.',
  },
  open: { en: 'Show what is below {name}', de: 'Zeigen, was unter {name} ist' },
  close: { en: 'Hide what is below {name}', de: 'Verbergen, was unter {name} ist' },
  below: { en: 'below {name}', de: 'unter {name}' },
  moveMenu: { en: 'Move {name}', de: '{name} verschieben' },
  up: { en: 'Move up', de: 'Nach oben' },
  down: { en: 'Move down', de: 'Nach unten' },
  into: { en: 'Move into the one above', de: 'In die darüber' },
  out: { en: 'Move out one level', de: 'Eine Ebene nach außen' },
  'too-deep': {
    en: 'Categories are at most {count} levels deep.',
    de: 'Kategorien sind höchstens {count} Ebenen tief.',
  },
  'inside-itself': {
    en: 'A category cannot be below itself.',
    de: 'Eine Kategorie kann nicht unter sich selbst stehen.',
  },
  changed: {
    en: '{name} was not moved: somebody has changed it meanwhile. The tree shows how it is now.',
    de: '{name} wurde nicht verschoben: jemand hat sie inzwischen geändert. Der Baum zeigt den jetzigen Stand.',
  },
  refused: { en: '{name} was not moved. {reason}', de: '{name} wurde nicht verschoben. {reason}' },
} satisfies FeatureTexts;
