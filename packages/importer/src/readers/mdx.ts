/** MDX as Markdown: imports of components say nothing to readers and are left out, other code stays in the text. Both are reported. */

const fence = /^ {0,3}(`{3,}|~{3,})/;
const importLine = /^import\s(?:[^'"]*\sfrom\s+)?(?:'[^']*'|"[^"]*");?[ \t]*$/;
const component = /<\/?[A-Z][\w.]*(?:[\s/>]|$)/;
const exported = /^export\s/;

/** The text of a post in MDX, and what the report says of it. */
export interface ReadMdx {
  readonly body: string;
  readonly notes: readonly string[];
}

/** Reads the body of a post in MDX. Lines in fenced code stay as they are. */
export function readMdx(body: string): ReadMdx {
  const notes = new Set<string>();
  const kept: string[] = [];
  let open: string | null = null;
  for (const line of body.split(/(?<=\n)/)) {
    const [, mark = ''] = fence.exec(line) ?? [];
    const isCode = open !== null || mark !== '';
    if (open === null) open = mark === '' ? null : mark;
    else if (mark.startsWith(open)) open = null;
    const text = line.replace(/\r?\n$/, '');
    if (!isCode && importLine.test(text)) {
      notes.add('imports of MDX left out');
      continue;
    }
    if (!isCode && (component.test(text) || exported.test(text))) {
      notes.add('components and exports of MDX stay in the text as code: check what readers see');
    }
    kept.push(line);
  }
  return { body: kept.join(''), notes: [...notes] };
}
