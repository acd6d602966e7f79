/** What is needed when the server cannot be reached. It must be in the browser before that, so pages with forms wait for it. */
export async function preloadWaiting(): Promise<void> {
  await Promise.all([
    import('./service.ts'),
    import('../bulk/service.ts'),
    import('../bulk/BulkPanel.tsx'),
    import('../toasts/ToastArea.tsx'),
    import('./WaitingButton.tsx'),
    import('./WaitingDialog.tsx'),
    import('./SignOutDialog.tsx'),
  ]);
}
