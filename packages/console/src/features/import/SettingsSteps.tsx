/** The steps between choosing a file and the run: what rows become, where columns go, and the dry run. */
import { Button, NativeSelect, Switch } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { noChoices } from '@trellis/importer/columns.ts';
import { previewColumns } from '@trellis/importer/preview.ts';
import { hasPosts } from '@trellis/importer/readers/formats.ts';
import { waysToFind } from '@trellis/importer/ways.ts';
import { type Resource, statusOf } from '@trellis/schema/resources/resource.ts';
import { RecordSelect } from '../../fields/RecordSelect.tsx';
import { resourceByName } from '../../resources/declared.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { GuardedButton } from '../../ui/GuardedButton.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { ColumnTable } from './ColumnTable.tsx';
import { ExistingChoices } from './ExistingChoices.tsx';
import { openChoice, parentOf, readingOf, resourcesOfChoice } from './files.ts';
import { IdentitySelect } from './IdentitySelect.tsx';
import styles from './Import.module.css';
import { ImportFailure } from './ImportFailure.tsx';
import type { Importing, ImportState } from './importing.ts';
import type { ImportJob } from './job.ts';
import { LocalDates } from './LocalDates.tsx';
import { Counts, Defaults, LeftOut, ReportDetails } from './ReportParts.tsx';
import { Step } from './Step.tsx';
import { TableChoices } from './TableChoices.tsx';
import { texts } from './texts.ts';
import { UnknownValues } from './UnknownValues.tsx';
import { useFoundBy } from './use-words.ts';

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
  const foundBy = useFoundBy();
  const { choice, settings, check } = job;
  const isPosts = hasPosts(choice.format);
  const resource = settings.resource === null ? null : resourceByName(settings.resource);
  const parent = parentOf(choice, settings.resource);
  const preview = useQuery({
    queryKey: [
      'import-preview',
      job.id,
      settings.resource,
      settings.map,
      settings.key,
      settings.columnSettings,
      settings.allColumns,
      readingOf(settings),
    ],
    queryFn: async () => {
      const source = await openChoice(choice, readingOf(settings));
      const preview = resource === null ? null : await previewColumns(resource, source, settings, Date.now());
      return { preview, notes: source.notes ?? [], parts: source.parts ?? null };
    },
    placeholderData: keepPreviousData,
    retry: false,
  });
  const ofFile = resourcesOfChoice(choice);
  const possible = resources.filter((one) => ofFile?.includes(one) ?? true);
  const hasSeveral = choice.format === 'ndjson' || (ofFile !== null && ofFile.length > 1);
  const updateRefusal = resource === null ? null : refusal(resource, 'update');
  const hasColumns =
    resource === null || isPosts || preview.data?.preview?.columns.some(({ to }) => to !== null) === true;
  const obstacle =
    parent !== null && settings.parentId === null
      ? featureText('noParent')
      : !hasColumns
        ? featureText('noColumn')
        : preview.data?.preview?.columns.some(({ isUnclear }) => isUnclear) === true
          ? featureText('unclear')
          : null;
  const { activity } = state;
  const leftOut = (preview.data?.preview?.columns ?? []).filter(
    ({ to, samples }) => to === null && samples.length > 0,
  );
  return (
    <>
      <Step number={2} title={featureText('columns')}>
        <div className={styles.choices}>
          <NativeSelect
            label={featureText('rowsBecome')}
            data={[
              ...possible.map((one) => ({ value: one.name, label: names.plural(one) })),
              ...(hasSeveral
                ? [{ value: '', label: featureText(ofFile === null ? 'asInFile' : 'allInFile') }]
                : []),
            ]}
            value={settings.resource ?? ''}
            onChange={(event) => {
              const name = event.currentTarget.value;
              const chosen = name === '' ? null : resourceByName(name);
              const isSameParent = parentOf(choice, chosen?.name ?? null)?.name === parent?.name;
              void importing.change({
                resource: chosen?.name ?? null,
                parentId: isSameParent ? settings.parentId : null,
                existing: chosen === null || refusal(chosen, 'update') === null ? 'merge' : 'skip',
                ...noChoices,
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
          {preview.data?.parts != null && (
            <NativeSelect
              label={featureText('sheet')}
              data={preview.data.parts.names}
              value={preview.data.parts.chosen}
              onChange={(event) => void importing.change({ sheet: event.currentTarget.value, ...noChoices })}
            />
          )}
          {resource !== null && (
            <IdentitySelect
              isPosts={isPosts}
              columns={preview.data?.preview?.columns ?? []}
              settings={settings}
              change={(change) => void importing.change(change)}
            />
          )}
        </div>
        <p className={shared.about}>
          {resource !== null &&
            !isPosts &&
            preview.data?.preview != null &&
            `${featureText('byContent', {
              ways: waysToFind(
                resource,
                new Set(
                  preview.data.preview.columns.flatMap(({ column, to }) =>
                    settings.key === column ? 'externalId' : (to ?? []),
                  ),
                ),
              )
                .map(foundBy)
                .join('; '),
            })} `}
          {featureText(resource === null ? 'exportAbout' : 'identityAbout')}
        </p>
        {preview.isPending && <Loading />}
        <ImportFailure error={preview.error} />
        {preview.data?.notes.map((note) => (
          <p key={note} className={shared.about}>
            {names.sentence(note)}
          </p>
        ))}
        {preview.data?.preview != null && resource !== null && (
          <>
            <p className={shared.about}>{featureText('columnsAbout')}</p>
            {preview.data.preview.table !== null && (
              <TableChoices
                table={preview.data.preview.table}
                change={(change) => void importing.change({ ...change, ...noChoices })}
              />
            )}
            <ColumnTable
              resource={resource}
              isPosts={isPosts}
              preview={preview.data.preview}
              settings={settings}
              change={(change) => void importing.change(change)}
            />
          </>
        )}
        {preview.data?.preview?.hasLocalDates === true && parent !== null && (
          <LocalDates parent={parent} parentId={settings.parentId} />
        )}
        <LeftOut columns={leftOut.map(({ column, samples: [example = ''] }) => ({ column, example }))} />
        {!isPosts && <Defaults defaults={preview.data?.preview?.defaults ?? []} />}
        <NativeSelect
          label={featureText('invalid')}
          data={[
            { value: 'reject', label: featureText('invalidReject') },
            { value: 'omit', label: featureText('invalidOmit') },
          ]}
          value={settings.allColumns.invalid ?? 'reject'}
          onChange={(event) => {
            const invalid = event.currentTarget.value === 'omit' ? 'omit' : 'reject';
            void importing.change({ allColumns: { ...settings.allColumns, invalid } });
          }}
        />
        {!isPosts && (
          <ExistingChoices
            refusal={updateRefusal}
            columns={preview.data?.preview?.columns ?? null}
            settings={settings}
            change={(change) => void importing.change(change)}
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
        <p className={shared.about}>{featureText('checkAbout')}</p>
        <div className={shared.group}>
          {activity === null ? (
            <GuardedButton
              refusal={obstacle}
              variant={check === null ? 'filled' : 'default'}
              onClick={() => void importing.check()}
            >
              {featureText(check === null ? 'check' : 'checkAgain')}
            </GuardedButton>
          ) : (
            <Button variant="default" onClick={() => importing.cancelCheck()}>
              {featureText('cancel')}
            </Button>
          )}
          <span role="status" className={shared.about}>
            {activity !== null && featureText('checking', { count: activity.progress.rows })}
          </span>
        </div>
        <ImportFailure error={state.error} />
        {check !== null && (
          <>
            {check.stopped !== null && <Notice kind="failure">{check.stopped}</Notice>}
            <Counts counts={check} isDryRun />
            {resource !== null && (
              <UnknownValues
                resource={resource}
                isPosts={isPosts}
                unknown={check.unknownValues}
                settings={settings}
                apply={(change) => void importing.change(change).then(() => importing.check())}
              />
            )}
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
      <p className={shared.about}>{featureText('startAbout')}</p>
      <div className={shared.group}>
        <GuardedButton
          refusal={missing ?? (accepted === 0 ? featureText('nothingToImport') : null)}
          onClick={() => void importing.start()}
        >
          {featureText('start', { count: accepted })}
        </GuardedButton>
      </div>
    </Step>
  );
}
