/** Tables as Markdown has them: cells of one line, as many in each row, and one row of column names. */
import type { Element, ElementContent } from './trees.ts';
import { elementOf, isBlank, isElement, textOf } from './trees.ts';

/** Cells beyond which merged ones are no longer expanded. */
const mostCells = 10_000;
const widestCell = 100;

const groups = ['thead', 'tbody', 'tfoot'];
/** Elements that begin a new line in a cell. */
const lineNames = new Set([
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'div', 'blockquote', 'ul', 'ol', 'li', 'hr', 'br', 'pre'],
  ...['table', ...groups, 'tr'],
]);

/** The table with what stands before it, such as its title; the contents of a table of one cell, which only places them. */
export function rewriteTable(table: Element): ElementContent[] {
  const isPart = (child: ElementContent) => isElement(child, 'tr', ...groups);
  const before = table.children.filter((child) => !isPart(child) && !isBlank(child));
  const children = table.children.filter(isPart);
  const sections = [
    children.filter((child) => isElement(child, 'tr')),
    ...children.flatMap((child) => (isElement(child, ...groups) ? [child.children] : [])),
  ].map((section) => section.filter((row) => isElement(row, 'tr')));
  const rows = sections.flat();
  const cells = rows.flatMap((row) => row.children.filter(isCell));
  const [only] = cells;
  if (only === undefined) return before;
  if (cells.length === 1) return [...before, elementOf('div', only.children)];
  for (const section of sections) expandCells(section);
  for (const cell of cells) cell.children = writeLines(cell.children);
  // Those of the first row, if none are marked.
  for (const cell of rows[0]?.children ?? []) if (isElement(cell, 'td')) cell.tagName = 'th';
  return [...before, { ...table, children }];
}

function isCell(node: ElementContent): node is Element {
  return isElement(node, 'td', 'th');
}

/** Puts empty cells where merged ones extend to, as far as there are rows. */
function expandCells(rows: readonly Element[]): void {
  /** Of each column, the rows that a merged cell from above still covers. */
  const covered: number[] = [];
  let added = 0;
  for (const [index, row] of rows.entries()) {
    const cells: ElementContent[] = [];
    const addCovered = () => {
      for (let left = covered[cells.length] ?? 0; left > 0; left = covered[cells.length] ?? 0) {
        covered[cells.length] = left - 1;
        cells.push(elementOf('td', []));
      }
    };
    for (const cell of row.children.filter(isCell)) {
      addCovered();
      const width = added < mostCells ? spanOf(cell, 'colSpan', widestCell) : 1;
      const height = added < mostCells ? spanOf(cell, 'rowSpan', rows.length - index) : 1;
      added += width * height - 1;
      for (let column = 0; column < width; column += 1) {
        covered[cells.length] = height - 1;
        cells.push(column === 0 ? cell : elementOf('td', []));
      }
      cell.properties = {};
    }
    addCovered();
    row.children = cells;
  }
}

/** How many columns or rows a cell has. A height of 0 is all rows that follow (HTML, 4.9.11). */
function spanOf({ properties }: Element, name: 'colSpan' | 'rowSpan', most: number): number {
  const span = properties[name];
  if (typeof span !== 'number') return 1;
  return name === 'rowSpan' && span === 0 ? most : Math.min(Math.max(span, 1), most);
}

/** The contents of a cell, with breaks between what would be blocks elsewhere. */
function writeLines(children: readonly ElementContent[]): ElementContent[] {
  return linesOf(children).flatMap((line, index) => (index === 0 ? line : [elementOf('br', []), ...line]));
}

function linesOf(nodes: readonly ElementContent[]): ElementContent[][] {
  const lines: ElementContent[][] = [[]];
  for (const node of nodes) {
    if (node.type !== 'element') lines.at(-1)?.push(node);
    else if (lineNames.has(node.tagName)) lines.push(...linesOfBlock(node), []);
    else lines.at(-1)?.push({ ...node, children: writeLines(node.children) });
  }
  return lines.filter((line) => !line.every(isBlank));
}

function linesOfBlock(block: Element): ElementContent[][] {
  switch (block.tagName) {
    case 'pre':
      return textOf(block)
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((value) => [elementOf('code', [{ type: 'text', value }])]);
    case 'tr':
      return [
        block.children
          .filter(isCell)
          .flatMap(({ children }) => [...writeLines(children), { type: 'text', value: ' ' }]),
      ];
    case 'ul':
    case 'ol': {
      const first = typeof block.properties.start === 'number' ? block.properties.start : 1;
      return block.children
        .filter((item) => isElement(item, 'li'))
        .flatMap(({ children }, index) => {
          const [line = [], ...others] = linesOf(children);
          const marker = block.tagName === 'ul' ? '• ' : `${first + index}. `;
          return [isElement(line[0], 'input') ? line : [{ type: 'text', value: marker }, ...line], ...others];
        });
    }
    default:
      return linesOf(block.children);
  }
}
