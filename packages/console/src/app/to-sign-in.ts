/** Where to sign in, and from there back to the requested page. @param href that page, below the console */
export function toSignIn(href: string) {
  return { to: '/sign-in', search: href === '/' ? {} : { return: href }, replace: true } as const;
}
