/** Leads from a list to the import of its resource. */
import { useNavigate } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { useRefusal } from '../session/missing-right.ts';
import { useText } from '../text/text.ts';
import { GuardedButton } from '../ui/GuardedButton.tsx';
import { Icon } from '../ui/icons.tsx';

interface Props {
  readonly resource: Resource;
  readonly parentId: string | null;
  readonly size: 'xs' | 'sm';
}

export function ImportButton({ resource, parentId, size }: Props) {
  const text = useText();
  const navigate = useNavigate();
  const refusal = useRefusal()(resource, 'create');
  const open = () => {
    const parent = parentId === null ? {} : { parent: parentId };
    void navigate({ to: '/import', search: { resource: resource.name, ...parent } });
  };
  return (
    <GuardedButton
      refusal={refusal}
      variant="default"
      size={size}
      leftSection={<Icon name="upload" size={size === 'xs' ? 14 : 16} />}
      onClick={open}
    >
      {text('import.title')}
    </GuardedButton>
  );
}
