/** Says on each page that the console is shown as another role, and ends that. */
import { useRoleName } from '../session/missing-right.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useText } from '../text/text.ts';
import { Icon } from '../ui/icons.tsx';
import styles from './Shell.module.css';

export function ViewedRole() {
  const { viewedRole, viewAs } = useWorkspace();
  const text = useText();
  const role = useRoleName();
  if (viewedRole === null) return null;
  return (
    <div role="status" className={styles.viewed}>
      <Icon name="users" />
      <span className={styles.viewedAbout}>{text('viewAs.about', { role })}</span>
      <button type="button" className={styles.viewedEnd} onClick={() => viewAs(null)}>
        {text('viewAs.end')}
      </button>
    </div>
  );
}
