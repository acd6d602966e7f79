/** The steps between choosing a file and the run: what rows become, where columns go, and the dry run. */
import { Button, NativeSelect, Switch } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { previewColumns } from '@trellis/importer/preview.ts';
import { type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { RecordSelect } from '../../fields/RecordSelect.tsx';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { Loading } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { RefusableButton } from '../../ui/Refusable.tsx';
import { ColumnTable } from './ColumnTable.tsx';
import { openChoice } from './files.ts';
import { IdentitySelect } from './IdentitySelect.tsx';
import styles from './Import.module.css';
import { ImportFailure } from './ImportFailure.tsx';
import type { Importing, ImportState } from './importing.ts';
import type { ImportJob } from './job.ts';
import { Counts, ReportDetails } from './ReportParts.tsx';
import { Step } from './Step.tsx';
import { texts } from './texts.ts';
import { useIdentity } from './use-words.ts';

interface Props {
  readonly importing: Importing;
  readonly job: ImportJob;
  readonly state: ImportState;
  /** What rows can become. */
  readonly resources: readonly Resource[];
}

export function SettingsSteps({ importing, job, state, resources }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const refusal = useRefusal();
  const identityOf = useIdentity();
  const { choice, settings, check } = job;
  const isPosts = choice.format === 'markdown';
  const resource = settings.resource === null ? null : resourceByName(settings.resource);
  const parent = resource?.parent == null ? null : resourceByName(resource.parent.resource);
  const preview = useQuery({
    queryKey: ['import-preview', job.id, settings.resource, settings.map, settings.key],
    queryFn: async () =>
      resource === null ? null : previewColumns(resource, await openChoice(choice), settings, Date.now()),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const possible = resources.filter((one) => !isPosts || one.import?.posts !== undefined);
  const updateRefusal = resource === null ? null : refusal(resource, 'update');
  const hasColumns =
    resource === null || isPosts || preview.data?.columns.some(({ to }) => to !== null) === true;
  const obstacle =
    parent !== null && settings.parentId === null
      ? featureText('noParent')
      : hasColumns
        ? null
        : featureText('noColumn');
  const { activity } = state;
  return (
    <>
      <Step number={2} title={featureText('columns')}>
        <div className={styles.choices}>
          <NativeSelect
            label={featureText('rowsBecome')}
            data={[
              ...possible.map((one) => ({ value: one.name, label: names.plural(one) })),
              ...(choice.format === 'ndjson' ? [{ value: '', label: featureText('asInFile') }] : []),
            ]}
            value={settings.resource ?? ''}
            onChange={(event) => {
              const name = event.currentTarget.value;
              const chosen = name === '' ? null : resourceByName(name);
              const isSameParent = chosen?.parent?.resource === parent?.name;
              void importing.change({
                resource: chosen?.name ?? null,
                parentId: isSameParent ? settings.parentId : null,
                update: chosen === null || refusal(chosen, 'update') === null,
                map: [],
                key: null,
              });
            }}
          />
          {parent !== null && (
            <RecordSelect
              resource={parent}
              parentId={null}
              value={settings.parentId}
              label={names.singular(parent)}
              required
              onChange={(parentId) => void importing.change({ parentId })}
            />
          )}
          {resource !== null && (
            <IdentitySelect
              isPosts={isPosts}
              columns={preview.data?.columns ?? []}
              settings={settings}
              change={(change) => void importing.change(change)}
            />
          )}
        </div>
        <p className={styles.about}>
          {resource !== null &&
            !isPosts &&
            settings.key === null &&
            `${featureText('byContent', { fields: identityOf(resource) })} `}
          {featureText(resource === null ? 'exportAbout' : 'identityAbout')}
        </p>
        {preview.isPending && <Loading />}
        <ImportFailure error={preview.error} />
        {preview.data != null && resource !== null && (
          <>
            <p className={styles.about}>{featureText('columnsAbout')}</p>
            <ColumnTable
              resource={resource}
              isPosts={isPosts}
              preview={preview.data}
              settings={settings}
              change={(change) => void importing.change(change)}
            />
          </>
        )}
        {!isPosts && (
          <Switch
            label={featureText('update')}
            checked={settings.update}
            disabled={updateRefusal !== null}
            description={updateRefusal ?? undefined}
            onChange={(event) => void importing.change({ update: event.currentTarget.checked })}
          />
        )}
        {!isPosts && (resource === null || statusOf(resource) !== null) && (
          <Switch
            label={featureText('statuses')}
            checked={settings.statuses}
            onChange={(event) => void importing.change({ statuses: event.currentTarget.checked })}
          />
        )}
      </Step>
      <Step number={3} title={featureText('check')}>
        <p className={styles.about}>{featureText('checkAbout')}</p>
        <div className={styles.buttons}>
          {activity === null ? (
            <RefusableButton
              refusal={obstacle}
              variant={check === null ? 'filled' : 'default'}
              onClick={() => void importing.check()}
            >
              {featureText(check === null ? 'check' : 'checkAgain')}
            </RefusableButton>
          ) : (
            <Button variant="default" onClick={() => importing.cancelCheck()}>
              {featureText('cancel')}
            </Button>
          )}
          <span role="status" className={styles.about}>
            {activity !== null && featureText('checking', { count: activity.progress.rows })}
          </span>
        </div>
        <ImportFailure error={state.error} />
        {check !== null && (
          <>
            {check.stopped !== null && <Notice kind="failure">{check.stopped}</Notice>}
            <Counts counts={check} isDryRun />
            <ReportDetails report={check} />
          </>
        )}
      </Step>
      {check !== null && check.stopped === null && (
        <StartStep
          importing={importing}
          job={job}
          resource={resource}
          accepted={check.rows - check.rejected}
        />
      )}
    </>
  );
}

interface StartProps {
  readonly importing: Importing;
  readonly job: ImportJob;
  readonly resource: Resource | null;
  /** Number of rows that can be imported. */
  readonly accepted: number;
}

function StartStep({ importing, resource, accepted }: StartProps) {
  const featureText = useFeatureText(texts);
  const refusal = useRefusal();
  const missing = resource === null ? null : refusal(resource, 'create');
  return (
    <Step number={4} title={featureText('import')}>
      <p className={styles.about}>{featureText('startAbout')}</p>
      <div className={styles.buttons}>
        <RefusableButton
          refusal={missing ?? (accepted === 0 ? featureText('nothingToImport') : null)}
          onClick={() => void importing.start()}
        >
          {featureText('start', { count: accepted })}
        </RefusableButton>
      </div>
    </Step>
  );
}
