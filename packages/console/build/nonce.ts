/** Stands in the page for the nonce, which the server sets anew in each response. */
export const noncePlaceholder = '__CONSOLE_NONCE__';
