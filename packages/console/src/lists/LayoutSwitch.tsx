/** Shows a list as a table or as a gallery. */
import '../ui/segmented-styles.ts';
import { SegmentedControl } from '@mantine/core';
import { useFeatureText } from '../text/feature.ts';
import { texts } from './gallery-texts.ts';
import type { View } from './view.ts';

const layouts = ['table', 'gallery'] as const;

interface Props {
  readonly view: View;
  readonly change: (part: Partial<View>) => void;
}

export function LayoutSwitch({ view, change }: Props) {
  const featureText = useFeatureText(texts);
  return (
    <SegmentedControl
      size="xs"
      aria-label={featureText('layout')}
      data={layouts.map((value) => ({ value, label: featureText(value) }))}
      value={view.layout}
      onChange={(value) => change({ layout: value === 'gallery' ? 'gallery' : 'table' })}
    />
  );
}
