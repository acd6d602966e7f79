/** Documentation pages as plain data, rendered as HTML and as Markdown on the server, and as Markdown files in the repository. */

/**
 * The text of paragraphs, headings and cells may contain `code`, **strong** words and [links](#to) in Markdown notation, nothing else.
 */
export type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'example'; readonly language: 'json' | 'html'; readonly text: string }
  | {
      readonly kind: 'table';
      /** What the table shows, for screen readers. */
      readonly caption: string;
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

export interface Page {
  readonly title: string;
  readonly blocks: readonly Block[];
}

/** The page as a Markdown file. */
export function renderMarkdown(page: Page): string {
  return `# ${page.title}\n\n${page.blocks.map(markdownOf).join('\n\n')}\n`;
}

/** The page as a Markdown page of the server: its links lead to other Markdown pages. */
export function renderMarkdownPage(page: Page): string {
  return renderMarkdown(page).replace(
    /\]\((\/docs(?:\/[\w/-]+)?)\)/g,
    (_link, path) => `](${markdownPath(path)})`,
  );
}

/** The path of the Markdown page that has the text of an HTML page below `/docs`. The list of operations stands for the reference. */
export function markdownPath(path: string): string {
  return `${path === '/docs' ? '/docs/operations' : path}.md`;
}

/** The blocks as Markdown, to be inserted into a longer text. */
export function markdownOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `## ${block.text}`;
    case 'paragraph':
      return block.text;
    case 'example':
      return `\`\`\`${block.language}\n${block.text}\n\`\`\``;
    case 'table': {
      const lines = [block.columns, block.columns.map(() => '---'), ...block.rows];
      return lines.map((cells) => `| ${cells.map(escapeCell).join(' | ')} |`).join('\n');
    }
  }
}

/** The page as the content of an HTML document's main element. */
export function renderHtml(page: Page): string {
  return `<h1>${inline(page.title)}</h1>\n${page.blocks.map(htmlOf).join('\n')}`;
}

/** Makes a text safe inside an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

function htmlOf(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h2 id="${escapeHtml(anchorOf(block.text))}">${inline(block.text)}</h2>`;
    case 'paragraph':
      return `<p>${inline(block.text)}</p>`;
    case 'example':
      return `<pre tabindex="0"><code>${escapeHtml(block.text)}</code></pre>`;
    case 'table': {
      const head = block.columns.map((cell) => `<th scope="col">${inline(cell)}</th>`).join('');
      const body = block.rows
        .map(([first = '', ...rest]) => {
          const cells = rest.map((cell) => `<td>${inline(cell)}</td>`).join('');
          return `<tr><th scope="row">${inline(first)}</th>${cells}</tr>`;
        })
        .join('\n');
      return `<div class="table" role="region" aria-label="${escapeHtml(block.caption)}" tabindex="0"><table>
<caption>${inline(block.caption)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body}
</tbody></table></div>`;
    }
  }
}

/** Renders code, strong words and links in an escaped text. Links may refer to this page, this server, or a page elsewhere by https. */
function inline(text: string): string {
  return escapeHtml(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*<]+)\*\*/g, '<strong>$1</strong>')
    .replace(/\[([^\]]+)\]\(((?:[#/]|https:\/\/)[^)\s]*)\)/g, '<a href="$2">$1</a>');
}

/** The anchor that Markdown viewers give to a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
