/** The nonce of this page's Content-Security-Policy, for the styles that are added while the page runs. */

/** The nonce; empty in a page without one. */
export function readNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}
