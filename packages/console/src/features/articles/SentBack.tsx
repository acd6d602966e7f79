/** Who sent an article back from review. */
import { usePersonName } from '../../fields/Person.tsx';
import { useFeatureText } from '../../text/feature.ts';
import { texts } from './texts.ts';

export function SentBack({ by }: { readonly by: unknown }) {
  const featureText = useFeatureText(texts);
  const name = usePersonName(typeof by === 'string' ? by : null);
  return <>{featureText('sentBack', { name })}</>;
}
