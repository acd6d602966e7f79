/** The input of a new password, which password managers fill with a generated one. */
import '@mantine/core/styles/Divider.layer.css';
import '@mantine/core/styles/PasswordInput.layer.css';
import { PasswordInput } from '@mantine/core';
import { type Fault, isProblem } from '../api/problem.ts';
import { useNames } from '../text/names.ts';
import { isTextId, useText } from '../text/text.ts';

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What the server rejected it for; null: nothing. */
  readonly fault: Fault | null;
  readonly autoFocus?: boolean;
}

/** Why the server rejected a new password; null if the error is another one. */
export function findPasswordFault(error: unknown): Fault | null {
  if (!isProblem(error, 'validation_failed')) return null;
  return error.faults.find(({ pointer }) => pointer === '/password') ?? null;
}

export function NewPasswordInput({ value, onChange, fault, autoFocus = false }: Props) {
  const text = useText();
  const names = useNames();
  const reason = `newPassword.${fault?.code}`;
  return (
    <PasswordInput
      label={text('newPassword.label')}
      description={text('newPassword.hint')}
      name="new-password"
      autoComplete="new-password"
      autoFocus={autoFocus}
      required
      withAsterisk={false}
      minLength={12}
      aria-invalid={fault !== null}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={isTextId(reason) ? text(reason) : fault && names.sentence(fault.detail)}
      visibilityToggleButtonProps={{ 'aria-label': text('signIn.showPassword'), tabIndex: 0 }}
    />
  );
}
