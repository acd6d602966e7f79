/** Shows toasts. They disappear after a while, unless they are hovered or focused; those that report a failure with the page. */
import { Button, CloseButton } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../text/text.ts';
import { Icon } from '../icons.tsx';
import shared from '../shared.module.css';
import styles from './ToastArea.module.css';
import { closeToast, leavePage, useToast } from './toasts.ts';

/** How long a message is shown, in milliseconds; one that offers something, such as to undo a change, stays longer. */
const shownMs = 8_000;
const offeredMs = 20_000;

/** @param props `offersActions`: whether what was done can be undone, for example */
export function ToastArea({ offersActions }: { readonly offersActions: boolean }) {
  const text = useText();
  const toast = useToast();
  const [isHeld, setIsHeld] = useState(false);
  const { pathname } = useLocation();
  const page = useRef(pathname);
  useEffect(() => {
    if (page.current !== pathname) leavePage();
    page.current = pathname;
  }, [pathname]);
  useEffect(() => {
    if (toast === null || toast.kind === 'failure' || isHeld) return;
    const timer = setTimeout(() => closeToast(toast.id), toast.action === undefined ? shownMs : offeredMs);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  return (
    <div className={styles.area} role="status">
      {toast !== null && (
        <div
          key={toast.id}
          role="group"
          className={styles.toast}
          data-kind={toast.kind}
          onMouseEnter={() => setIsHeld(true)}
          onMouseLeave={() => setIsHeld(false)}
          onFocus={() => setIsHeld(true)}
          onBlur={() => setIsHeld(false)}
        >
          <Icon name={toast.kind === 'done' ? 'check' : 'warning'} />
          <span>
            {toast.message}
            {toast.link !== undefined && (
              <>
                {' '}
                <a className={shared.link} href={toast.link.href} target="_blank" rel="noreferrer">
                  {toast.link.label}
                </a>
              </>
            )}
          </span>
          {toast.action !== undefined && offersActions && (
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                closeToast(toast.id);
                toast.action?.run();
              }}
            >
              {toast.action.label}
            </Button>
          )}
          <CloseButton size="sm" aria-label={text('close')} onClick={() => closeToast(toast.id)} />
        </div>
      )}
    </div>
  );
}
