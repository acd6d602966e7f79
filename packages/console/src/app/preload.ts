/** What is needed when the server cannot be reached. It must be in the browser before that, so pages with forms wait for it. */
export async function preloadPending(): Promise<void> {
  await Promise.all([
    import('../pending/service.ts'),
    import('../lists/bulk/service.ts'),
    import('../lists/bulk/BulkPanel.tsx'),
    import('../ui/toasts/ToastArea.tsx'),
    import('../pending/PendingButton.tsx'),
    import('../pending/PendingDialog.tsx'),
    import('../pending/SignOutDialog.tsx'),
  ]);
}
