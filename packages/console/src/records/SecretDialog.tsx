/** Displays what a record shows once, such as the secret of a token. No later response contains it. */
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useContext } from 'react';
import type { Values } from '../outbox/store/fields.ts';
import { titleOf } from '../resources/values.ts';
import { useFeatureText, useLocalized } from '../text/feature.ts';
import { DialogHost } from '../ui/dialog-host.ts';
import { ShownOnce } from '../ui/ShownOnce.tsx';
import { texts } from './texts.ts';

interface Props {
  readonly resource: Resource;
  /** As the response to its creation or to an action has it. */
  readonly record: Values;
  readonly close: () => void;
}

function SecretDialog({ resource: { secret, ...resource }, record, close }: Props) {
  const recordText = useFeatureText(texts);
  const localize = useLocalized();
  if (secret === undefined) return null;
  const name = titleOf(resource, record);
  const own = secret.texts;
  return (
    <ShownOnce
      shown={String(record[secret.member])}
      title={own === undefined ? recordText('secretOf', { name }) : localize(own.title, { name })}
      {...(own === undefined ? {} : { about: localize(own.about) })}
      hint={own === undefined ? recordText('secretAbout') : localize(own.once)}
      copyLabel={own === undefined ? recordText('copy') : localize(own.copy)}
      doneLabel={own === undefined ? recordText('kept') : localize(own.done)}
      close={close}
    />
  );
}

/** Returns the function that shows it, also when what asked for it is gone. Its last parameter is called when the dialog is closed. */
export function useShowSecret(): (resource: Resource, record: Values, closed?: () => void) => void {
  const show = useContext(DialogHost);
  return (resource, record, closed) => {
    const close = () => {
      show(null);
      closed?.();
    };
    show(<SecretDialog resource={resource} record={record} close={close} />);
  };
}
