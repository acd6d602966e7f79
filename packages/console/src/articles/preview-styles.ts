/** Takes the styles out of HTML before it is parsed: the Content-Security-Policy would report them already then. */

/** The HTML with `style` elements as `noscript`, which is removed with its contents, and `style` attributes under another name. */
export function disarmStyles(html: string): string {
  return html
    .replaceAll(/<(\/?)style\b/gi, '<$1noscript')
    .replaceAll(/(<[^<>]*?\s)style(\s*=)/gi, '$1data-style$2');
}
