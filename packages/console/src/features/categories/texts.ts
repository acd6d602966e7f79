/** What the tree of categories says. */
import type { FeatureTexts } from '../../text/feature.ts';

export const texts = {
  asList: { en: 'As a list', de: 'Als Liste' },
  asTree: { en: 'As a tree', de: 'Als Baum' },
  tree: { en: 'Category tree', de: 'Kategoriebaum' },
  hint: {
    en: 'Drag a category, use its menu, or press Alt and an arrow key.',
    de: 'Ziehen Sie eine Kategorie, verwenden Sie ihr Menü, oder drücken Sie Alt und eine Pfeiltaste.',
  },
  tooMany: {
    en: 'There are more than {count, number} categories. The list shows them all.',
    de: 'Es gibt mehr als {count, number} Kategorien. Die Liste zeigt alle.',
  },
  open: { en: 'Expand {name}', de: '{name} aufklappen' },
  close: { en: 'Collapse {name}', de: '{name} zuklappen' },
  below: { en: 'below {name}', de: 'unter {name}' },
  moveMenu: { en: 'Move {name}', de: '{name} verschieben' },
  up: { en: 'Move up', de: 'Nach oben' },
  down: { en: 'Move down', de: 'Nach unten' },
  into: { en: 'Move into the one above', de: 'In die Kategorie darüber' },
  out: { en: 'Move out one level', de: 'Eine Ebene nach außen' },
  'too-deep': {
    en: 'Categories are at most {count} levels deep.',
    de: 'Kategorien sind höchstens {count} Ebenen tief.',
  },
  'inside-itself': {
    en: 'A category cannot be below itself.',
    de: 'Eine Kategorie kann nicht unter sich selbst stehen.',
  },
  moved: { en: '{name} was moved.', de: '{name} wurde verschoben.' },
  changed: {
    en: '{name} was not moved, because someone else changed it. The tree now shows the current state.',
    de: '{name} wurde nicht verschoben, weil jemand anderes die Kategorie geändert hat. Der Baum zeigt jetzt den aktuellen Stand.',
  },
  refused: { en: '{name} was not moved. {reason}', de: '{name} wurde nicht verschoben. {reason}' },
} satisfies FeatureTexts;
