/** What a dry run and a report have in common: numbers of rows, and the first rows that were rejected. */

import { Link } from '@tanstack/react-router';
import type { Rejection, RowCounts } from '@trellis/importer/report.ts';
import { unreadPhone } from '@trellis/schema/resources/contact-details.ts';
import { useIntl } from 'react-intl';
import { resourceByName } from '../../resources/declared.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { Notice } from '../../ui/Notice.tsx';
import styles from './Import.module.css';
import type { Report } from './job.ts';
import { texts } from './texts.ts';
import { usePlace, useReason } from './use-words.ts';

interface CountsProps {
  readonly counts: RowCounts;
  readonly isDryRun?: boolean;
}

export function Counts({ counts, isDryRun = false }: CountsProps) {
  const featureText = useFeatureText(texts);
  const { formatNumber } = useIntl();
  const entries = [
    { name: featureText(isDryRun ? 'wouldCreate' : 'created'), value: counts.created, isBad: false },
    { name: featureText(isDryRun ? 'wouldUpdate' : 'updated'), value: counts.updated, isBad: false },
    { name: featureText(isDryRun ? 'wouldKeep' : 'unchanged'), value: counts.unchanged, isBad: false },
    {
      name: featureText(isDryRun ? 'wouldReject' : 'rejected'),
      value: counts.rejected,
      isBad: counts.rejected > 0,
    },
  ];
  return (
    <dl className={styles.counts}>
      {entries.map(({ name, value, isBad }) => (
        <div key={name} className={styles.count} data-bad={isBad || undefined}>
          <dt>{name}</dt>
          <dd>{formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Whose row it is, and each reason with the value that it is about. */
function Rejected({ rejection: { reasons, record = null, values = [] } }: RejectedProps) {
  const featureText = useFeatureText(texts);
  const describeReason = useReason();
  return (
    <div className={styles.rejected}>
      {record !== null && <bdi className={styles.record}>{record}</bdi>}
      {reasons.map((reason, index) => (
        <span key={index}>
          {describeReason(reason)}
          {values[index] != null && (
            <>
              {' '}
              <bdi className={styles.given}>{featureText('given', { value: values[index] })}</bdi>
            </>
          )}
        </span>
      ))}
    </div>
  );
}

interface RejectedProps {
  readonly rejection: Rejection;
}

/** Numbers are mostly those of one country, which the organization can name once instead of the file in each row. */
function CountryHint() {
  const featureText = useFeatureText(texts);
  const { me } = useWorkspace();
  if (me.organization.defaultCountry !== null) return null;
  return (
    <Notice kind="hint" icon="phone">
      {featureText('noCountry')} <Link to={'/organization' as string}>{featureText('setCountry')}</Link>
    </Notice>
  );
}

/** How many rejected rows are listed; the file has all. */
const faultsShown = 20;

/** What else a report says: other records, skipped parts, rejected rows and adjustments. */
export function ReportDetails({ report }: { readonly report: Report }) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const place = usePlace();
  const { formatList } = useIntl();
  const { rejections, rejected, repairs, skipped, linked } = report;
  const shown = rejections.slice(0, faultsShown);
  const linkedNames = Object.entries(linked).map(
    ([name, count]) => `${count} ${names.plural(resourceByName(name))}`,
  );
  return (
    <>
      {linkedNames.length > 0 && (
        <p className={styles.about}>{featureText('alsoCreated', { list: formatList(linkedNames) })}</p>
      )}
      {skipped.length > 0 && (
        <p className={styles.about}>
          {featureText('skipped', {
            list: skipped.map(({ what, count }) => `${count} ${names.sentence(what)}`).join(', '),
          })}
        </p>
      )}
      {shown.some(({ reasons }) => reasons.some((reason) => reason.endsWith(unreadPhone))) && <CountryHint />}
      {shown.length > 0 && (
        <>
          <h3 className={styles.subtitle}>{featureText(report.dryRun ? 'faults' : 'rejectedRows')}</h3>
          <div className={styles.frame}>
            <ul className={styles.list}>
              {shown.map((rejection) => (
                <li key={rejection.place}>
                  <span className={styles.place}>{place(rejection.place)}</span>
                  <Rejected rejection={rejection} />
                </li>
              ))}
              {rejected > shown.length && (
                <li>{featureText('moreFaults', { count: rejected - shown.length })}</li>
              )}
            </ul>
          </div>
        </>
      )}
      {repairs.length > 0 && (
        <>
          <h3 className={styles.subtitle}>{featureText('repairs')}</h3>
          <div className={styles.frame}>
            <ul className={styles.list}>
              {repairs.map(({ how, rows }) => (
                <li key={how}>
                  <span className={styles.place}>{featureText('rows', { count: rows })}</span>
                  <span>{names.sentence(how)}</span>
                </li>
              ))}
            </ul>
          </div>
        </>
      )}
    </>
  );
}
