/** What the orders of a list are called. */
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import type { ColumnSort } from './sorts.ts';
import { texts } from './texts.ts';

const words = {
  text: ['textFirst', 'textSecond'],
  instant: ['instantFirst', 'instantSecond'],
  date: ['instantFirst', 'instantSecond'],
  integer: ['numberFirst', 'numberSecond'],
} as const;

/** The two orders of a column, with their labels. */
export function useSortLabels(): (
  sort: ColumnSort,
) => readonly { readonly order: string; readonly label: string }[] {
  const featureText = useFeatureText(texts);
  const names = useNames();
  return ({ column, kind, orders: [first, second] }) => {
    const name = names.field(column);
    return [
      { order: first, label: featureText(words[kind][0], { name }) },
      { order: second, label: featureText(words[kind][1], { name }) },
    ];
  };
}
