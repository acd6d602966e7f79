/** What the orders of a list are called. */
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import type { ColumnSort } from './sorts.ts';
import { texts } from './texts.ts';

/** The two orders of a column, with their labels. */
export function useSortLabels(): (
  sort: ColumnSort,
) => readonly { readonly order: string; readonly label: string }[] {
  const featureText = useFeatureText(texts);
  const names = useNames();
  return ({ column, kind, orders: [first, second] }) => {
    const name = names.field(column);
    return [
      { order: first, label: featureText(kind === 'text' ? 'textFirst' : 'instantFirst', { name }) },
      { order: second, label: featureText(kind === 'text' ? 'textSecond' : 'instantSecond', { name }) },
    ];
  };
}
