/** Whether a component is still shown: what it has asked for may end long after somebody has left the page. */
import { useEffect, useRef } from 'react';

export function useIsShown(): () => boolean {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return () => isShown.current;
}
