/** What a text says to show a file: an image, or a link to it. */

/**
 * In Markdown, or in HTML as an element.
 * @param address of its content, which has no characters that either would read
 * @param label what an image shows, or what the link says
 */
export function referenceTo(address: string, label: string, isImage: boolean, format: string): string {
  if (format === 'HTML') {
    const text = escapeHtml(label);
    return isImage ? `<img src="${address}" alt="${text}">` : `<a href="${address}">${text}</a>`;
  }
  // Without what Markdown would read as marks, or as the end of a paragraph.
  return `${isImage ? '!' : ''}[${label.replaceAll(/[[\]\\\s]+/g, ' ')}](${address})`;
}

/** Where an image without a label gets one. @param image what `referenceTo` has made */
export function placeOfLabel(image: string): number {
  return image.startsWith('![') ? '!['.length : image.lastIndexOf('"');
}

/** The name of a file without its ending. */
export function labelOfFile(name: string): string {
  return name.replace(/\.[a-z0-9]{1,5}$/i, '');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
