/** Asks for confirmation of an action, with the inputs of its body. */
import { NativeSelect } from '@mantine/core';
import type { ActionDeclaration, ActionTexts } from '@trellis/schema/resources/actions.ts';
import { pointerOf } from '@trellis/schema/values/paths.ts';
import { useState } from 'react';
import { type Draft, faultsAt } from '../../fields/draft.ts';
import { useLocalized } from '../../text/feature.ts';
import { useNames } from '../../text/names.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { faultsOf } from '../../ui/problem-text.ts';
import { Fields } from '../RecordForm.tsx';

interface Props {
  readonly action: ActionDeclaration & { readonly texts: ActionTexts };
  /** Of the record. */
  readonly name: string;
  readonly parentId: string | null;
  /** What the inputs begin with. */
  readonly initial: Draft;
  readonly isPending: boolean;
  readonly failure: unknown;
  /** @param body null for an action without input */
  readonly confirm: (body: object | null) => void;
  readonly close: () => void;
}

export function ActionDialog({ action, name, parentId, initial, isPending, failure, confirm, close }: Props) {
  const { texts, input, isDestructive = false } = action;
  const localize = useLocalized();
  const names = useNames();
  const [draft, setDraft] = useState<Draft>({ ...firstValues(action), ...initial });
  const faults = faultsOf(failure, names);
  const fields = Object.entries(input?.fields ?? {});
  const isAtInputs =
    faults.length > 0 && faults.every(({ pointer }) => fields.some(([one]) => pointerOf(one) === pointer));
  const send = () => {
    if (!isPending) confirm(input === undefined ? null : bodyOf(draft));
  };
  return (
    <ConfirmDialog
      title={localize(texts.title ?? texts.label, { name })}
      {...(texts.about === undefined ? {} : { about: localize(texts.about, { name }) })}
      action={localize(texts.label)}
      isDangerous={isDestructive}
      isPending={isPending}
      confirm={send}
      close={close}
    >
      {fields.length > 0 && (
        <form
          noValidate
          style={{ display: 'contents' }}
          onSubmit={(event) => {
            event.preventDefault();
            send();
          }}
        >
          {fields.map(([key, field]) => {
            const { label, values } = input?.presentation?.[key] ?? {};
            const shown = label === undefined ? names.field(key) : localize(label);
            if (values === undefined) {
              return (
                <Fields
                  key={key}
                  parentId={parentId}
                  record={null}
                  draft={draft}
                  setDraft={setDraft}
                  faults={faults}
                  isReadOnly={false}
                  disabled={false}
                  fields={[[key, field]]}
                  label={shown}
                />
              );
            }
            return (
              <NativeSelect
                key={key}
                label={shown}
                data={values.map((one) => ({ value: String(one.value), label: localize(one.label) }))}
                value={String(draft[key])}
                error={faultsAt(faults, pointerOf(key))}
                onChange={({ currentTarget }) => {
                  const chosen = values.find(({ value }) => String(value) === currentTarget.value);
                  setDraft({ ...draft, [key]: chosen?.value });
                }}
              />
            );
          })}
          <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
        </form>
      )}
      {!isAtInputs && <FailureNotice error={failure} />}
    </ConfirmDialog>
  );
}

/** The first of the values that inputs offer. */
function firstValues({ input }: ActionDeclaration): Draft {
  return Object.fromEntries(
    Object.entries(input?.presentation ?? {}).flatMap(([key, { values = [] }]) =>
      values.slice(0, 1).map(({ value }) => [key, value]),
    ),
  );
}

/** Inputs that were emptied are left out. */
function bodyOf(draft: Draft): object {
  return Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== ''));
}
