/** Imports files: choosing them, mapping their columns, a dry run, and the run with its report. */
import '../../ui/input-styles.ts';
import { useSearch } from '@tanstack/react-router';
import { noChoices } from '@trellis/importer/columns.ts';
import { resourcesInOrder } from '@trellis/importer/order.ts';
import type { Action, Resource } from '@trellis/schema/resources/resource.ts';
import { useState } from 'react';
import { readLastParent } from '../../resources/places.ts';
import { isOffered, useRefusal } from '../../session/missing-right.ts';
import { useText } from '../../text/text.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import shared from '../../ui/shared.module.css';
import { FileStep } from './FileStep.tsx';
import { type Choice, guessResource, resourcesOfChoice } from './files.ts';
import type { ImportJob, ImportSettings } from './job.ts';
import { RunStep } from './RunStep.tsx';
import { SettingsSteps } from './SettingsSteps.tsx';
import { useImporting } from './use-importing.ts';

/** The resources that rows can become. */
const importable = resourcesInOrder.filter((resource) => isOffered(resource, 'create'));

export function ImportPage() {
  const text = useText();
  const refusal = useRefusal();
  const [importing, state] = useImporting();
  const search = useSearch({ strict: false });
  const { job, isLoaded } = state;
  const [first] = importable;
  const isForbidden = importable.every((resource) => refusal(resource, 'create') !== null);
  const [hasChosen, setHasChosen] = useState(false);
  const choose = (choice: Choice) => {
    setHasChosen(true);
    const requested = search.resource ?? job?.settings.resource ?? null;
    const may = (resource: Resource, action: Action) => refusal(resource, action) === null;
    const suggested = suggestSettings(choice, requested, search.parent ?? null, may);
    void importing.choose(
      choice,
      suggested.then((settings) => (job === null ? settings : withPrevious(settings, job))),
    );
  };
  return (
    <>
      <PageHead title={text('import.title')} />
      {isForbidden && first !== undefined && (
        <Empty icon="lock" title={text('list.forbidden')} about={refusal(first, 'create') ?? ''} />
      )}
      {!isForbidden && !isLoaded && <Loading />}
      {!isForbidden && isLoaded && (
        <div className={shared.page}>
          {(job === null || job.state === 'open') && (
            <FileStep job={job} choose={choose} takesFocus={hasChosen} />
          )}
          {job?.state === 'open' && (
            <SettingsSteps
              key={job.id}
              importing={importing}
              job={job}
              state={state}
              resources={importable}
            />
          )}
          {job !== null && job.state !== 'open' && <RunStep importing={importing} job={job} state={state} />}
          {job?.state === 'done' && <FileStep job={null} choose={choose} isNext />}
        </div>
      )}
    </>
  );
}

/** The settings of an import at its beginning: the resource that the page was opened for, if the files can become that, or look like most. */
async function suggestSettings(
  choice: Choice,
  requested: string | null,
  parent: string | null,
  may: (resource: Resource, action: Action) => boolean,
): Promise<ImportSettings> {
  const possible = importable.filter((resource) => isPossible(choice, resource.name));
  const resource =
    possible.find(({ name }) => name === requested) ??
    possible.find(({ name }) => choice.files[0]?.path.toLowerCase().includes(name) === true) ??
    (await guessResource(
      choice,
      possible.filter((one) => may(one, 'create')),
    )) ??
    possible.find((one) => may(one, 'create')) ??
    possible[0];
  // A page that was opened for contacts says nothing about an export of a blog.
  const isRequested = possible.some(({ name }) => name === requested);
  const hasSeveral = (resourcesOfChoice(choice)?.length ?? 0) > 1 && !isRequested;
  const parentName = resource?.parent?.resource;
  const parentId = parentName === undefined ? null : (parent ?? readLastParent(parentName));
  return {
    resource: hasSeveral ? null : (resource?.name ?? null),
    parentId,
    ...noChoices,
    existing: resource === undefined || may(resource, 'update') ? 'merge' : 'skip',
    duplicates: 'reject',
    statuses: false,
  };
}

/** The settings with what was decided about the previous file, as that with the rejected rows has the same columns. */
function withPrevious(suggested: ImportSettings, { choice, settings }: ImportJob): ImportSettings {
  const isSame = settings.resource === suggested.resource && choice.format !== 'markdown';
  // The file has an encoding and a header of its own.
  return isSame ? { ...settings, encoding: null, headerLine: null } : suggested;
}

/** Whether rows of the files can become records of the resource. */
function isPossible(choice: Choice, resource: string): boolean {
  return resourcesOfChoice(choice)?.some(({ name }) => name === resource) ?? true;
}
