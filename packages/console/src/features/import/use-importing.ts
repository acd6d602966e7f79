/** The import of the person in the organization, for its page. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import type { Api } from '../../api/api.ts';
import { workSignal } from '../../api/expected-user.ts';
import { type StepUp, useStepUp } from '../../api/proof.ts';
import { refreshQueries } from '../../resources/refresh-queries.ts';
import { useWorkspace } from '../../session/workspace.ts';
import type { Vault } from '../../storage/vault.ts';
import { useFeatureText } from '../../text/feature.ts';
import { showToast } from '../../ui/toasts/toasts.ts';
import { Importing, type ImportState } from './importing.ts';
import type { Report } from './job.ts';
import { texts } from './texts.ts';

/** The imports of each owner, which continue while other pages are shown, until somebody else signs in. */
const known = new Map<string, Importing>();
const path = '/import';

/** The import, which is loaded when this is first used. */
export function useImporting(): readonly [Importing, ImportState] {
  const { api, vault } = useWorkspace();
  const withStepUp = useStepUp();
  const finish = useFinish();
  const importing = known.get(vault.owner) ?? begin(api, vault, withStepUp, finish);
  useEffect(() => void importing.load(), [importing]);
  return [importing, useSyncExternalStore(importing.subscribe, importing.read)];
}

function begin(
  api: Api,
  vault: Vault,
  withStepUp: StepUp['run'],
  finish: (report: Report | null) => void,
): Importing {
  const importing = new Importing(api, vault, withStepUp, finish);
  known.set(vault.owner, importing);
  workSignal().addEventListener('abort', () => {
    importing.stop();
    known.delete(vault.owner);
  });
  return importing;
}

/** Reads again what lists show, and says on other pages that the import has ended. */
function useFinish(): (report: Report | null) => void {
  const queries = useQueryClient();
  const router = useRouter();
  const featureText = useFeatureText(texts);
  return (report) => {
    void refreshQueries(queries, ['v1']);
    if (router.state.location.pathname === path) return;
    const isDone = report !== null && report.stopped === null;
    showToast({
      kind: isDone ? 'done' : 'failure',
      message: isDone
        ? featureText('finished', {
            created: report.created,
            updated: report.updated,
            rejected: report.rejected,
          })
        : featureText('ended'),
      action: { label: featureText('look'), run: () => void router.navigate({ to: path }) },
    });
  };
}
