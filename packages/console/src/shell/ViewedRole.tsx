/** Says on each page that the console is shown as another role, and ends that. */
import { Box } from '@mantine/core';
import { useRoleName } from '../session/missing-right.ts';
import { useWorkspace } from '../session/workspace.ts';
import { useText } from '../text/text.ts';
import { Icon } from '../ui/icons.tsx';
import shared from '../ui/shared.module.css';
import styles from './Shell.module.css';

export function ViewedRole() {
  const { viewedRole, viewAs } = useWorkspace();
  const text = useText();
  const role = useRoleName();
  if (viewedRole === null) return null;
  return (
    <div role="status" className={`${shared.group} ${styles.viewed}`}>
      <Icon name="users" />
      <Box component="span" flex="1 1 240px">
        {text('viewAs.about', { role })}
      </Box>
      <button type="button" className={`${shared.item} ${shared.frame}`} onClick={() => viewAs(null)}>
        {text('viewAs.end')}
      </button>
    </div>
  );
}
