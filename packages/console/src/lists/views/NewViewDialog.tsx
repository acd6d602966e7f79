/** Saves the current list as a new view, and opens it. */
import { useNavigate } from '@tanstack/react-router';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { parametersOf, type View } from '../view.ts';
import { ViewDialog } from './ViewDialog.tsx';

interface Props {
  readonly resource: Resource;
  readonly view: View;
  readonly close: () => void;
}

export function NewViewDialog({ resource, view, close }: Props) {
  const navigate = useNavigate();
  return (
    <ViewDialog
      resource={resource}
      view={view}
      saved={null}
      close={close}
      done={({ id }) => {
        close();
        void navigate({ to: '.', search: parametersOf(resource, { ...view, savedId: id }) });
      }}
    />
  );
}
