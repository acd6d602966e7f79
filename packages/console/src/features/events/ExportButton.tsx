/** Saves the events of the present filter as a file; pressed while it reads, it stops. */
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { StepUpCancelled, useStepUp } from '../../api/proof.ts';
import { useWorkspace } from '../../session/workspace.ts';
import { useFeatureText } from '../../text/feature.ts';
import { saveFile } from '../../ui/download.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { exportEvents } from './export.ts';
import type { EventFilter } from './log.ts';
import { texts } from './texts.ts';

export function ExportButton({ filter }: { readonly filter: EventFilter }) {
  const featureText = useFeatureText(texts);
  const { api, organization } = useWorkspace();
  const withStepUp = useStepUp();
  const [count, setCount] = useState(0);
  const stop = useRef<AbortController | null>(null);
  const save = useMutation({
    mutationFn: async () => {
      setCount(0);
      stop.current = new AbortController();
      const { signal } = stop.current;
      const content = await exportEvents(
        (query) => withStepUp(() => api.read('listEvents', { query, signal })),
        filter,
        signal,
        setCount,
      );
      saveFile(content, `${organization.key}-events-${new Date().toISOString().slice(0, 10)}.ndjson`);
    },
  });
  const wasStopped = stop.current?.signal.aborted === true || save.error instanceof StepUpCancelled;
  return (
    <>
      {!wasStopped && <FailureNotice error={save.error} />}
      <Button
        variant="default"
        {...(save.isPending ? { 'aria-label': featureText('stopExport') } : {})}
        onClick={() => (save.isPending ? stop.current?.abort() : save.mutate())}
      >
        {save.isPending ? featureText('exporting', { count }) : featureText('export')}
      </Button>
    </>
  );
}
