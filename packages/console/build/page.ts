/** What the server knows of the page that the build has made. */

/** Its files: for somebody with a session, and for somebody without. */
export const pageFiles = ['signed-in.html', 'signed-out.html'] as const;

/** Stands in the page for the nonce, which the server sets anew in each response. */
export const noncePlaceholder = '__CONSOLE_NONCE__';
