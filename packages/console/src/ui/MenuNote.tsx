/** Sentences in a menu that say what it does not offer, and why. They stay reachable by keyboard, so that they are read. */
import { Menu } from '@mantine/core';
import styles from './GuardedItem.module.css';
import shared from './shared.module.css';

/** Nothing without a sentence. */
export function MenuNote({ sentences }: { readonly sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <Menu.Item aria-disabled closeMenuOnClick={false} className={styles.refused ?? ''}>
      {sentences.map((sentence) => (
        <span key={sentence} className={shared.note}>
          {sentence}
        </span>
      ))}
    </Menu.Item>
  );
}
