/** Undoes an import as a whole, and says what it left as it is. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { UndoReport } from '@trellis/importer/undo.ts';
import { useState } from 'react';
import { resourceByName } from '../../resources/declared.ts';
import { collectionPath } from '../../resources/places.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Notice } from '../../ui/Notice.tsx';
import shared from '../../ui/shared.module.css';
import styles from './Import.module.css';
import type { Importing, ImportState } from './importing.ts';
import type { ImportJob } from './job.ts';
import { texts } from './texts.ts';

interface Props {
  readonly importing: Importing;
  readonly job: ImportJob;
  readonly state: ImportState;
}

/** The buttons that show what an import has created, and undo it; nothing for an import that has written nothing. */
export function UndoButtons({ importing, job, state }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const [isAsking, setIsAsking] = useState(false);
  const { report, settings, undone = null } = job;
  const importId = report?.importId ?? null;
  const hasEnded = job.state === 'done' || job.state === 'stopped';
  if (importId === null || report === null || !hasEnded || undone?.stopped === null) return null;
  const resource = settings.resource === null ? null : resourceByName(settings.resource);
  const isUndoing = state.activity?.kind === 'undo';
  return (
    <>
      {resource !== null && report.created > 0 && (
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              {...props}
              to={collectionPath(resource, settings.parentId)}
              search={{ importId } as object}
            />
          )}
        >
          {featureText('showCreated', { name: names.nouns(resource) })}
        </Button>
      )}
      <Button variant="default" loading={isUndoing} onClick={() => setIsAsking(true)}>
        {featureText('undo')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={featureText('undo')}
          about={featureText('undoAbout')}
          action={featureText('undo')}
          isDangerous
          isPending={false}
          confirm={() => {
            setIsAsking(false);
            void importing.undo();
          }}
          close={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

/** What an undo did. */
export function Undone({ undone }: { readonly undone: UndoReport }) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const { deleted, restored, kept, keptRecords, stopped } = undone;
  return (
    <>
      <Notice
        kind={stopped === null ? 'hint' : 'failure'}
        {...(stopped === null ? { icon: 'trash' as const } : {})}
      >
        {featureText('undone', { deleted, restored, kept })} {stopped}
      </Notice>
      {keptRecords.length > 0 && (
        <div className={shared.frame}>
          <ul className={`${shared.list} ${styles.list}`} aria-label={featureText('undoKept')}>
            {keptRecords.map(({ recordId, record, reason }) => (
              <li key={recordId}>
                <span className={shared.dimmed}>{record ?? recordId}</span>
                <span>{names.sentence(reason)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
