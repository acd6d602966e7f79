/** The title of the document. */
import { useEffect } from 'react';

/** Sets the title while the component is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Trellis`;
  }, [title]);
}
