/** The menu of the organizations that one may work in. */
import { Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Organization } from '../api/sign-in.ts';
import { useChanges } from '../outbox/edit/use-changes.ts';
import { useWorkspace } from '../session/workspace.ts';
import { Icon } from '../ui/icons.tsx';

interface Props {
  readonly button: ReactElement;
  readonly organizations: readonly Organization[];
  readonly choose: (id: string) => void;
}

export function OrganizationMenuList({ button, organizations, choose }: Props) {
  const { organization } = useWorkspace();
  const { leave } = useChanges();
  const navigate = useNavigate();
  return (
    <Menu width={220} position="bottom-start" defaultOpened withinPortal={false}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {organizations.map(({ id, name: label }) => (
          <Menu.Item
            key={id}
            rightSection={id === organization.id && <Icon name="check" size={14} />}
            onClick={() => {
              if (id === organization.id) return;
              leave(() => {
                choose(id);
                void navigate({ to: '/' });
              });
            }}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
