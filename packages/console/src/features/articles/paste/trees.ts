/** The trees of HTML and Markdown that the libraries convert (hast and mdast of the syntax-tree project). */
import type { toMdast } from 'hast-util-to-mdast';

type HtmlRoot = Extract<Parameters<typeof toMdast>[0], { readonly type: 'root' }>;

export type Element = Extract<HtmlRoot['children'][number], { readonly type: 'element' }>;
export type ElementContent = Element['children'][number];
export interface Root {
  readonly type: 'root';
  children: ElementContent[];
}

/** What a text of Markdown consists of. */
export type MarkdownContent = Extract<
  ReturnType<typeof toMdast>,
  { readonly type: 'root' }
>['children'][number];
