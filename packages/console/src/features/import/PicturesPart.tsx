/** The pictures beside posts, in a dry run and a report: how many are uploaded, and which readers do not see, with the reasons. */
import type { PictureReport } from '@trellis/importer/report.ts';
import { useIntl } from 'react-intl';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import shared from '../../ui/shared.module.css';
import styles from './Import.module.css';
import { texts } from './texts.ts';

interface Props {
  readonly pictures: PictureReport;
  readonly isDryRun: boolean;
}

export function PicturesPart({ pictures: { stored, found, unused, left }, isDryRun }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { formatList } = useIntl();
  const numbers = [
    { name: isDryRun ? 'picturesWouldBeStored' : 'picturesStored', count: stored },
    { name: 'picturesFound', count: found },
    { name: 'picturesUnused', count: unused },
  ] as const;
  const shown = numbers.filter(({ count }) => count > 0);
  return (
    <>
      {shown.length > 0 && (
        <p className={shared.about}>
          {featureText('pictures', {
            list: formatList(shown.map(({ name, count }) => featureText(name, { count }))),
          })}
        </p>
      )}
      {left.length > 0 && <h3 className={shared.subtitle}>{featureText('picturesLeft')}</h3>}
      {left.map(({ reason, count, examples }) => (
        <details key={reason} className={shared.frame}>
          <summary className={styles.lost}>
            {featureText('picturesOf', { count, reason: names.sentence(reason) })}
          </summary>
          <ul className={`${shared.list} ${styles.list}`}>
            {examples.map(({ place, address }, index) => (
              <li key={index}>
                <span className={shared.dimmed}>{place}</span>
                <bdi>{address}</bdi>
              </li>
            ))}
            {count > examples.length && (
              <li>{featureText('moreFaults', { count: count - examples.length })}</li>
            )}
          </ul>
        </details>
      ))}
    </>
  );
}
