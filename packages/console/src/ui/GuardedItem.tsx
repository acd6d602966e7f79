/** An entry of a menu that says why it cannot be chosen. It stays reachable by keyboard, so that the reason is read. */
import { Menu } from '@mantine/core';
import styles from './GuardedItem.module.css';
import { Icon, type IconName } from './icons.tsx';
import shared from './shared.module.css';

interface Props {
  readonly label: string;
  readonly icon?: IconName;
  /** In pixels, as the other entries of the menu have it. */
  readonly iconSize?: number;
  /** Null: it can be chosen. */
  readonly refusal: string | null;
  readonly onClick: () => void;
}

export function GuardedItem({ label, icon, iconSize = 14, refusal, onClick }: Props) {
  const section = icon === undefined ? null : <Icon name={icon} size={iconSize} />;
  if (refusal === null) {
    return (
      <Menu.Item leftSection={section} onClick={onClick}>
        {label}
      </Menu.Item>
    );
  }
  return (
    <Menu.Item leftSection={section} aria-disabled closeMenuOnClick={false} className={styles.refused ?? ''}>
      <span className={shared.dimmed}>{label}</span>
      <span className={shared.note}>{refusal}</span>
    </Menu.Item>
  );
}
