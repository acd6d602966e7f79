/** A run: its progress, and its report with the rejected rows. */
import { Button, Progress } from '@mantine/core';
import '@mantine/core/styles/Progress.layer.css';
import { Link } from '@tanstack/react-router';
import { resourceByName } from '../../resources/declared.ts';
import { collectionPath } from '../../resources/places.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { saveFile } from '../../ui/download.ts';
import { Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import { ChosenFiles } from './FileStep.tsx';
import { ImportFailure } from './ImportFailure.tsx';
import type { Importing, ImportState } from './importing.ts';
import type { ImportJob } from './job.ts';
import { Counts, ReportDetails } from './ReportParts.tsx';
import { Step } from './Step.tsx';
import { texts } from './texts.ts';
import { UndoButtons, Undone } from './UndoPart.tsx';

interface Props {
  readonly importing: Importing;
  readonly job: ImportJob;
  readonly state: ImportState;
}

export function RunStep({ importing, job, state }: Props) {
  const featureText = useFeatureText(texts);
  const { activity, error } = state;
  const { report, check } = job;
  const counts = (activity?.kind === 'undo' ? null : activity?.progress) ?? report;
  const total = check?.rows ?? 0;
  const isRunning = activity?.kind === 'run' && !activity.isElsewhere;
  return (
    <Step title={featureText(job.state === 'open' ? 'running' : job.state)}>
      <p className={shared.about}>
        <ChosenFiles choice={job.choice} />
      </p>
      {isRunning && counts != null && (
        <>
          <Progress
            value={(counts.rows / Math.max(total, counts.rows, 1)) * 100}
            aria-label={featureText('running')}
          />
          <p className={shared.about} role="status">
            {featureText('progress', { rows: counts.rows, total: Math.max(total, counts.rows) })}
          </p>
        </>
      )}
      {activity?.isElsewhere === true && (
        <Notice kind="hint" icon="clock">
          {featureText('elsewhere')}
        </Notice>
      )}
      {report?.stopped != null && <Notice kind="failure">{report.stopped}</Notice>}
      <ImportFailure error={error} />
      {counts != null && <Counts counts={counts} />}
      {job.wasContinued && <p className={shared.about}>{featureText('continued')}</p>}
      {report !== null && <ReportDetails report={report} />}
      {job.state !== 'done' && (
        <p className={shared.about}>{featureText(state.isPersistent ? 'safe' : 'notKept')}</p>
      )}
      {job.undone != null && <Undone undone={job.undone} />}
      {job.rejected !== null && <p className={shared.about}>{featureText('downloadAbout')}</p>}
      <div className={shared.group}>
        <RunButtons importing={importing} job={job} isElsewhere={activity?.isElsewhere === true} />
        <UndoButtons importing={importing} job={job} state={state} />
      </div>
    </Step>
  );
}

interface ButtonsProps extends Omit<Props, 'state'> {
  /** Whether another tab imports, which these buttons could neither pause nor stop. */
  readonly isElsewhere: boolean;
}

function RunButtons({ importing, job, isElsewhere }: ButtonsProps) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { state, rejected, settings } = job;
  const resource = settings.resource === null ? null : resourceByName(settings.resource);
  const canContinue = !isElsewhere && (state === 'paused' || state === 'stopped');
  return (
    <>
      {state === 'running' && !isElsewhere && (
        <Button variant="default" onClick={() => void importing.hold()}>
          {featureText('pause')}
        </Button>
      )}
      {canContinue && <Button onClick={() => void importing.resume()}>{featureText('resume')}</Button>}
      {rejected !== null && (
        <Button variant="default" onClick={() => saveFile(rejected, rejected.name)}>
          {featureText('download')}
        </Button>
      )}
      {resource !== null && state === 'done' && (
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to={collectionPath(resource, settings.parentId)} />}
        >
          {featureText('show', { name: names.nouns(resource) })}
        </Button>
      )}
      {canContinue && (
        <Button variant="default" onClick={() => void importing.discard()}>
          {featureText('forget')}
        </Button>
      )}
    </>
  );
}
