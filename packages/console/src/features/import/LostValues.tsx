/** The values that an import leaves out of rows, or removes from records. */
import type { LostValues as Lost } from '@trellis/importer/report.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import shared from '../../ui/shared.module.css';
import styles from './Import.module.css';
import { texts } from './texts.ts';
import { usePlace } from './use-words.ts';

interface Props {
  readonly title: string;
  readonly fields: readonly Lost[];
  /** The name of a field or column. */
  readonly nameOf: (field: string) => string;
  /** What is counted. */
  readonly counted?: 'lostOf' | 'rowsOf';
}

export function LostValues({ title, fields, nameOf, counted = 'lostOf' }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const place = usePlace();
  if (fields.length === 0) return null;
  return (
    <>
      <h3 className={shared.subtitle}>{title}</h3>
      {fields.map(({ field, count, values }) => (
        <details key={field} className={shared.frame}>
          <summary className={styles.lost}>{featureText(counted, { name: nameOf(field), count })}</summary>
          <ul className={`${shared.list} ${styles.list}`}>
            {values.map((lost, index) => (
              <li key={index}>
                <span className={shared.dimmed}>{place(lost.place)}</span>
                <span className={shared.tight}>
                  {lost.record !== null && <bdi className={shared.label}>{lost.record}</bdi>}
                  <bdi>{lost.value}</bdi>
                  {lost.reason !== null && (
                    <span className={shared.dimmed}>{names.sentence(lost.reason)}</span>
                  )}
                </span>
              </li>
            ))}
            {count > values.length && <li>{featureText('moreFaults', { count: count - values.length })}</li>}
          </ul>
        </details>
      ))}
    </>
  );
}
