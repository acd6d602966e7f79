/** The entries of a menu for actions. One that is refused says why. */
import { GuardedItem } from '../../ui/GuardedItem.tsx';
import type { OfferedAction } from './use-actions.tsx';

export function ActionItems({ offered }: { readonly offered: readonly OfferedAction[] }) {
  return offered.map(({ name, label, showsSecret, refusal, ask }) => (
    <GuardedItem
      key={name}
      label={label}
      icon={showsSecret ? 'key' : 'activity'}
      iconSize={16}
      refusal={refusal}
      onClick={ask}
    />
  ));
}
