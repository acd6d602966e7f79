/** What a dry run and a report have in common: numbers of rows, and the first rows that were rejected. */

import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Default } from '@trellis/importer/defaults.ts';
import { formatRedirects } from '@trellis/importer/redirects.ts';
import { type Rejection, type RowCounts, shorten } from '@trellis/importer/report.ts';
import { unreadPhone } from '@trellis/schema/resources/contact-details.ts';
import { useIntl } from 'react-intl';
import { resourceByName } from '../../resources/declared.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { saveFile } from '../../ui/download.ts';
import { Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import styles from './Import.module.css';
import type { Report } from './job.ts';
import { LostValues } from './LostValues.tsx';
import { PicturesPart } from './PicturesPart.tsx';
import { texts } from './texts.ts';
import { useFoundBy, usePlace, useReason } from './use-words.ts';

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
    <dl className={shared.group}>
      {entries.map(({ name, value, isBad }) => (
        <div key={name} className={`${shared.box} ${styles.count}`} data-bad={isBad || undefined}>
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
    <div className={shared.tight}>
      {record !== null && <bdi className={shared.label}>{record}</bdi>}
      {reasons.map((reason, index) => (
        <span key={index}>
          {describeReason(reason)}
          {values[index] != null && (
            <>
              {' '}
              <bdi className={shared.dimmed}>{featureText('given', { value: values[index] })}</bdi>
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

interface LeftOutProps {
  readonly columns: readonly { readonly column: string; readonly example: string }[];
}

/** The columns with values that are not imported, each with a value. */
export function LeftOut({ columns }: LeftOutProps) {
  const featureText = useFeatureText(texts);
  if (columns.length === 0) return null;
  return (
    <Notice kind="hint" icon="warning">
      {featureText('leftOut', { count: columns.length })}{' '}
      {columns.map(({ column, example }) => `${shorten(column)} (${shorten(example, 30)})`).join(', ')}
    </Notice>
  );
}

/** What new records get because no column has it. */
export function Defaults({ defaults }: { readonly defaults: readonly Default[] }) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  if (defaults.length === 0) return null;
  const list = defaults
    .map(
      ({ field, value }) =>
        `${field
          .split('.')
          .map((part) => names.field(part))
          .join(': ')} “${names.value(value)}”`,
    )
    .join(', ');
  return <p className={shared.about}>{featureText('defaults', { list })}</p>;
}

/** The reasons of rejections that several rows share, with the number of rows. */
function Causes({ reasons }: { readonly reasons: Report['rejectionReasons'] }) {
  const featureText = useFeatureText(texts);
  const describeReason = useReason();
  const common = reasons.filter(({ rows }) => rows > 1).sort((left, right) => right.rows - left.rows);
  if (common.length === 0) return null;
  return (
    <>
      <h3 className={shared.subtitle}>{featureText('causes')}</h3>
      <div className={shared.frame}>
        <ul className={`${shared.list} ${styles.list}`}>
          {common.slice(0, faultsShown).map(({ reason, rows }) => (
            <li key={reason}>
              <span className={shared.dimmed}>{featureText('rows', { count: rows })}</span>
              <span>{describeReason(reason)}</span>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

/** How many rejected rows are listed; the file has all. */
const faultsShown = 20;

/** What else a report says: other records, skipped parts, rejected rows and adjustments. */
export function ReportDetails({ report }: { readonly report: Report }) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const place = usePlace();
  const foundBy = useFoundBy();
  const { formatList } = useIntl();
  const { rejections, rejected, repairs, skipped, linked, redirects, found = [] } = report;
  const shown = rejections.slice(0, faultsShown);
  const linkedNames = Object.entries(linked).map(
    ([name, count]) => `${count} ${names.plural(resourceByName(name))}`,
  );
  return (
    <>
      {linkedNames.length > 0 && (
        <p className={shared.about}>{featureText('alsoCreated', { list: formatList(linkedNames) })}</p>
      )}
      <LeftOut columns={report.notImported.map(({ field, example = '' }) => ({ column: field, example }))} />
      <Defaults defaults={report.defaults} />
      {found.length > 0 && (
        <p className={shared.about}>
          {featureText('found', { list: found.map(({ by, rows }) => `${foundBy(by)} (${rows})`).join('; ') })}
        </p>
      )}
      {skipped.length > 0 && (
        <p className={shared.about}>
          {featureText('skipped', {
            list: skipped.map(({ what, count }) => `${names.sentence(what)} (${count})`).join('; '),
          })}
        </p>
      )}
      <LostValues
        title={featureText(report.dryRun ? 'wouldRemove' : 'removed')}
        fields={report.removed}
        nameOf={(field) => field.split('.').map(names.field).join(': ')}
      />
      <LostValues
        title={featureText(report.dryRun ? 'wouldBeKept' : 'kept')}
        fields={report.kept.map(({ reason, count, rows }) => ({
          field: reason,
          count,
          values: rows.map((row) => ({ ...row, value: '', reason: null })),
        }))}
        nameOf={names.sentence}
        counted="rowsOf"
      />
      <LostValues
        title={featureText(report.dryRun ? 'wouldOmit' : 'omitted')}
        fields={report.omitted}
        nameOf={(column) => column}
      />
      {shown.some(({ reasons }) => reasons.some((reason) => reason.endsWith(unreadPhone))) && <CountryHint />}
      {shown.length > 0 && (
        <>
          <Causes reasons={report.rejectionReasons} />
          <h3 className={shared.subtitle}>{featureText(report.dryRun ? 'faults' : 'rejectedRows')}</h3>
          <div className={shared.frame}>
            <ul className={`${shared.list} ${styles.list}`}>
              {shown.map((rejection) => (
                <li key={rejection.place}>
                  <span className={shared.dimmed}>{place(rejection.place)}</span>
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
      {report.pictures != null && <PicturesPart pictures={report.pictures} isDryRun={report.dryRun} />}
      {redirects.length > 0 && (
        <>
          <h3 className={shared.subtitle}>{featureText('redirects', { count: redirects.length })}</h3>
          <p className={shared.about}>{featureText('redirectsAbout')}</p>
          <div className={shared.group}>
            <Button
              variant="default"
              size="xs"
              onClick={() =>
                saveFile(new Blob([formatRedirects(redirects)], { type: 'text/csv' }), 'redirects.csv')
              }
            >
              {featureText('downloadRedirects')}
            </Button>
          </div>
        </>
      )}
      {repairs.length > 0 && (
        <>
          <h3 className={shared.subtitle}>{featureText('repairs')}</h3>
          <div className={shared.frame}>
            <ul className={`${shared.list} ${styles.list}`}>
              {repairs.map(({ how, rows }) => (
                <li key={how}>
                  <span className={shared.dimmed}>{featureText('rows', { count: rows })}</span>
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
