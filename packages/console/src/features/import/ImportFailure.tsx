/** Why the columns of a file cannot be shown, or a dry run or a run could not begin. */
import { ImportStopped, UsageError } from '@trellis/importer/errors.ts';
import { useNames } from '../../text/names.ts';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';

/** Shows an error, if any. Errors of the importer say what is wrong with the file or the settings. */
export function ImportFailure({ error }: { readonly error: unknown }) {
  const names = useNames();
  const isAboutImport = error instanceof ImportStopped || error instanceof UsageError;
  return isAboutImport ? (
    <Notice kind="failure">{names.sentence(error.message)}</Notice>
  ) : (
    <FailureNotice error={error} />
  );
}
