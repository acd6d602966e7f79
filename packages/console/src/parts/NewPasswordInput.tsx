/** The input of a new password, which password managers fill with one that they make. */
import { PasswordInput } from '@mantine/core';
import { useText } from '../text/text.ts';

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** What the server said about it; null: nothing. */
  readonly fault: string | null;
  readonly autoFocus?: boolean;
}

export function NewPasswordInput({ value, onChange, fault, autoFocus = false }: Props) {
  const text = useText();
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
      error={fault === null ? undefined : fault.replace(/^\/password: /, '')}
      visibilityToggleButtonProps={{ 'aria-label': text('signIn.showPassword'), tabIndex: 0 }}
    />
  );
}
