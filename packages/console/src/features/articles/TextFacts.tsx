/** How long the text is: words, time to read, and bytes of the most that are allowed. */
import { limits } from '@trellis/schema/resources/limits.ts';
import { type BodyFormat, countBodyWords } from '@trellis/schema/values/body-words.ts';
import { countBytes } from '@trellis/schema/values/bytes.ts';
import { useCallback } from 'react';
import { useIntl } from 'react-intl';
import { useFeatureText } from '../../text/feature.ts';
import shared from '../../ui/shared.module.css';
import styles from './ArticleEditor.module.css';
import { texts } from './texts.ts';
import { type TextSource, useComputed } from './use-text-source.ts';

/** Words that people read in a minute. */
const wordsPerMinute = 230;
/** Share of the allowed bytes from which they are shown. */
const nearlyFull = 0.8;

interface Props {
  readonly source: TextSource;
  readonly format: BodyFormat;
}

export function TextFacts({ source, format }: Props) {
  const featureText = useFeatureText(texts);
  const { formatNumber } = useIntl();
  const measure = useCallback(
    (text: string) => ({ words: countBodyWords(text, format), bytes: countBytes(text) }),
    [format],
  );
  const measured = useComputed(source, measure);
  if (measured === null) return null;
  const { words, bytes } = measured;
  const most = limits.articleBodyBytes;
  const sizes = {
    size: formatNumber(bytes / 1_024, { maximumFractionDigits: 0 }),
    most: formatNumber(most / 1_024),
  };
  return (
    <div className={`${shared.small} ${styles.facts}`}>
      <span>{featureText('words', { count: words })}</span>
      {words > wordsPerMinute && (
        <span>{featureText('minutes', { count: Math.round(words / wordsPerMinute) })}</span>
      )}
      {bytes > most * nearlyFull && (
        <span data-over={bytes > most || undefined}>
          {featureText(bytes > most ? 'tooLong' : 'bytes', sizes)}
        </span>
      )}
    </div>
  );
}
