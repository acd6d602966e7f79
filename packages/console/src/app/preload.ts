/** What is needed when the server cannot be reached. It must be in the browser before that, so pages with forms wait for it. */
export async function preloadWaiting(): Promise<void> {
  await Promise.all([
    import('../waiting/service.ts'),
    import('../lists/bulk/service.ts'),
    import('../lists/bulk/BulkPanel.tsx'),
    import('../ui/toasts/ToastArea.tsx'),
    import('../waiting/WaitingButton.tsx'),
    import('../waiting/WaitingDialog.tsx'),
    import('../waiting/SignOutDialog.tsx'),
  ]);
}
