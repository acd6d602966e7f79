/** Asks which field of many records is set, and to what. */
import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import type { Field } from '@trellis/schema/resources/fields.ts';
import { type ReactNode, useState } from 'react';
import { FieldInput } from '../../fields/FieldInput.tsx';
import type { ValueSchema } from '../../fields/value-schema.ts';
import type { FieldChange } from '../../outbox/bulk/bulk-store.ts';
import { useFeatureText } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { useText } from '../../text/text.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { texts } from './texts.ts';

interface SetFieldProps {
  readonly fields: readonly (readonly [string, Field])[];
  readonly parentId: string | null;
  readonly count: number;
  readonly close: () => void;
  readonly apply: (field: string, to: FieldChange['to']) => void;
  readonly children?: ReactNode;
}

/** What is done to a list that the records have. */
type How = 'add' | 'remove' | 'replace';

function changeOf(how: How, value: unknown): FieldChange['to'] {
  if (how === 'replace' || !Array.isArray(value)) return { value };
  return how === 'add' ? { add: value, remove: [] } : { add: [], remove: value };
}

const scalars: readonly unknown[] = ['string', 'integer', 'number'];

export function SetFieldDialog({ fields, parentId, count, close, apply, children }: SetFieldProps) {
  const text = useText();
  const featureText = useFeatureText(texts);
  const names = useNames();
  // No field is preselected, because changing many records must be a deliberate choice.
  const [name, setName] = useState('');
  const field = fields.find(([other]) => other === name)?.[1];
  const [value, setValue] = useState<unknown>(undefined);
  const [chosenHow, setHow] = useState<How>('add');
  const empty = field?.nullable === true ? null : field?.kind === 'boolean' ? false : undefined;
  const chosen = value === undefined ? empty : value;
  const schema = field?.schema as ValueSchema | undefined;
  const isList = schema?.type === 'array';
  // Objects in a list cannot be identified by typed text.
  const hasHow = isList && scalars.includes(schema?.items?.type);
  const how = hasHow ? chosenHow : 'replace';
  const isNothing = chosen === null || (Array.isArray(chosen) && chosen.length === 0);
  const isMissing = field === undefined || chosen === undefined || (isNothing && how !== 'replace');
  /** Whether somebody has tried to go on without what is missing. */
  const [isSaid, setIsSaid] = useState(false);
  const isEmptied = field !== undefined && isNothing && how === 'replace';
  return (
    <Dialog onClose={close} title={featureText('setTitle', { count })}>
      <Stack gap="md">
        {children}
        <NativeSelect
          label={featureText('field')}
          value={name}
          error={isSaid && field === undefined ? featureText('fieldMissing') : null}
          data={[
            { value: '', label: featureText('chooseField'), disabled: true },
            ...fields.map(([one]) => ({ value: one, label: names.field(one) })),
          ]}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setValue(undefined);
            setIsSaid(false);
          }}
        />
        {hasHow && (
          <NativeSelect
            label={featureText('how')}
            value={how}
            data={[
              { value: 'add', label: featureText('howAdd') },
              { value: 'remove', label: featureText('howRemove') },
              { value: 'replace', label: featureText('howReplace') },
            ]}
            onChange={(event) => setHow(event.currentTarget.value as How)}
          />
        )}
        {field !== undefined && (
          <FieldInput
            key={name}
            schema={field.schema as ValueSchema}
            label={names.field(name)}
            {...(isList && !hasHow ? { description: featureText('replaces') } : {})}
            value={chosen}
            onChange={setValue}
            fault={isSaid && isMissing ? featureText('valueMissing') : null}
            faults={[]}
            pointer=""
            target={field.reference?.resource}
            parentId={parentId}
            isNullable={field.nullable}
            emptyValue={field.nullable ? null : ''}
          />
        )}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={close}>
            {text('cancel')}
          </Button>
          {/* Not disabled: the press that begins a click is what takes the text that was just typed. */}
          <Button
            {...(isEmptied ? { color: 'red.9' } : {})}
            onClick={() => (isMissing ? setIsSaid(true) : apply(name, changeOf(how, chosen)))}
          >
            {isEmptied ? featureText('empty', { count }) : featureText('apply')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
