/** The preview of an article's text, in Chromium. */
import type { Page } from 'playwright-core';

/** Waits until the preview has its blocks. @returns how many elements it has */
export async function waitForPreview(page: Page): Promise<number> {
  await page
    .locator('[data-state=whole], [data-state=cut], [data-state=unclosed], [data-state=plain]')
    .waitFor();
  // They are built a few at a time.
  await page.frameLocator('iframe').locator('#text[aria-busy=false]').waitFor({ state: 'attached' });
  return page.evaluate<number>(
    "document.querySelector('iframe').contentDocument.querySelectorAll('#text *').length",
  );
}
