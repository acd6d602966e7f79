/** One event: what happened to which record, by whom and how; its JSON on demand. */
import { ActionIcon, Box, Button, Group } from '@mantine/core';
import type { Event } from '@trellis/client/generated/types.ts';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { Person } from '../../fields/Person.tsx';
import { useRecordTitle } from '../../fields/ReferenceName.tsx';
import { resourceByName } from '../../resources/declared.ts';
import { presentationOf } from '../../resources/presentation.ts';
import { useRefusal } from '../../session/missing-right.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Moment } from '../../ui/Moment.tsx';
import shared from '../../ui/shared.module.css';
import styles from './EventsPage.module.css';
import { useMethodNames } from './methods.ts';
import { actionOf, resourceOfEvent, SubjectLink, useKindName } from './subject.tsx';
import { texts } from './texts.ts';

/** Fields that are named in a row. */
const fieldsShown = 8;

interface Props {
  readonly event: Event;
  /** Shows the events of the same record. */
  readonly onlyRecord: () => void;
}

export function EventRow({ event, onlyRecord }: Props) {
  const featureText = useFeatureText(texts);
  const names = useNames();
  const kindOf = useKindName();
  const { formatList } = useIntl();
  const [open, setOpen] = useState(false);
  const resource = resourceOfEvent(event);
  const action = actionOf(event);
  const fields = action === 'updated' ? event.data.changedFields : [];
  const shown = fields.slice(0, fieldsShown).map((field) => names.field(field));
  const json = JSON.stringify(event, null, 2);
  return (
    <li className={styles.row}>
      <div className={styles.summary}>
        <span className={shared.icon}>
          <Icon name={(resource === null ? undefined : presentationOf(resource).icon) ?? 'list'} size={15} />
        </span>
        <div className={styles.what}>
          <span className={shared.dimmed}>
            {kindOf(event)} · {names.value(action.toUpperCase())}
          </span>{' '}
          <SubjectLink event={event} className={styles.subject} />
          {shown.length > 0 && (
            <span className={`${shared.note} ${shared.cut}`}>
              {featureText('changed', { fields: formatList(shown) })}
            </span>
          )}
        </div>
        <div className={styles.who}>
          <Box component="span" display="block">
            <Person id={event.data.actor.user} />
          </Box>
          <span className={`${shared.note} ${shared.cut}`}>
            <Means event={event} />
          </span>
        </div>
        <span className={`${shared.small} ${styles.when}`}>
          <Moment value={event.time} />
        </span>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={28}
          aria-label={featureText('showJson')}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <Icon name={open ? 'chevronDown' : 'code'} size={15} />
        </ActionIcon>
      </div>
      {open && (
        <div className={`${shared.stack} ${styles.json}`}>
          <Box component="pre" className={shared.codeBlock} tabIndex={0} role="region" aria-label="JSON">
            {json}
          </Box>
          <Group gap={8}>
            <CopyButton value={json} label={featureText('copyJson')} />
            <Button variant="default" onClick={onlyRecord}>
              {featureText('onlyRecord')}
            </Button>
          </Group>
        </div>
      )}
    </li>
  );
}

/** By which token, or how the person was signed in. */
function Means({ event }: Pick<Props, 'event'>) {
  const featureText = useFeatureText(texts);
  const methodNames = useMethodNames();
  const refusal = useRefusal();
  const tokens = resourceByName('tokens');
  const { token, methods, user } = event.data.actor;
  const isListed = methods === null && refusal(tokens, 'read') === null;
  const name = useRecordTitle(tokens, null, isListed ? token : null);
  if (methods !== null) return <>{featureText('bySession', { methods: methodNames(methods) })}</>;
  if (token === null) return user === null ? featureText('bySystem') : null;
  return <>{featureText('byToken', { name: name ?? `…${token.slice(-6)}` })}</>;
}
