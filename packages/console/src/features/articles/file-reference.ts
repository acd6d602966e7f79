/** What a text says to show a file: an image, or a link to it. */

/**
 * In Markdown, or in HTML as an element.
 * @param path of its content, which has no characters that either would read
 * @param name of the file; its text is the name without its ending
 */
export function referenceTo(path: string, name: string, isImage: boolean, format: string): string {
  const label = name.replace(/\.[a-z0-9]{1,5}$/i, '');
  if (format === 'HTML') {
    const text = escapeHtml(label);
    return isImage ? `<img src="${path}" alt="${text}">` : `<a href="${path}">${text}</a>`;
  }
  // Without what Markdown would read as marks.
  return `${isImage ? '!' : ''}[${label.replaceAll(/[[\]\\]/g, ' ')}](${path})`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
