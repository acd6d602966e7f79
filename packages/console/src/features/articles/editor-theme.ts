/** The look of the text in the editor: that of a document, with its marks in a quieter colour. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const highlight = HighlightStyle.define([
  { tag: tags.heading1, fontSize: '1.5em', fontWeight: '650', lineHeight: '1.4' },
  { tag: tags.heading2, fontSize: '1.25em', fontWeight: '650' },
  { tag: tags.heading3, fontSize: '1.1em', fontWeight: '650' },
  { tag: [tags.heading4, tags.heading5, tags.heading6], fontWeight: '650' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: tags.link, color: 'var(--mantine-color-anchor)' },
  { tag: tags.url, color: 'var(--mantine-color-dimmed)' },
  {
    tag: [tags.processingInstruction, tags.meta, tags.contentSeparator],
    color: 'var(--mantine-color-dimmed)',
  },
  { tag: tags.monospace, fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.9em' },
  { tag: tags.quote, color: 'var(--mantine-color-dimmed)' },
  {
    tag: [tags.angleBracket, tags.tagName, tags.attributeName, tags.attributeValue, tags.comment],
    color: 'var(--mantine-color-dimmed)',
    fontFamily: 'var(--mantine-font-family-monospace)',
    fontSize: '0.9em',
  },
]);

const theme = EditorView.theme({
  '&': { color: 'var(--mantine-color-text)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    flex: '1 0 auto',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: '15px',
    lineHeight: '1.65',
    overflowX: 'visible',
  },
  // As high as the page below the title, so that a click on the empty paper sets the cursor.
  '.cm-content': {
    alignSelf: 'stretch',
    padding: '8px 0 160px',
    caretColor: 'var(--mantine-color-text)',
    overflowWrap: 'anywhere',
    // Otherwise the narrowest width of the text is computed as well, for each of the boxes around it.
    contain: 'inline-size',
  },
  '.cm-line': { padding: '0' },
  '.cm-placeholder': { color: 'var(--mantine-color-placeholder)' },
  '.cm-specialChar': { color: 'var(--mantine-color-error)' },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, #e8b931 35%, transparent)' },
  '.cm-searchMatch-selected': { backgroundColor: 'color-mix(in srgb, #e8b931 70%, transparent)' },
  '.cm-panels': { backgroundColor: 'transparent', color: 'inherit', zIndex: '15' },
  '.cm-panels-top': { borderBottom: '0', position: 'sticky', top: '44px' },
  '.cm-panel.cm-search': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '6px',
    padding: '8px 40px 8px 8px',
    marginBottom: '8px',
    fontSize: '13px',
    background: 'var(--console-sidebar)',
    border: '1px solid var(--console-line)',
    borderRadius: '8px',
  },
  '.cm-panel.cm-search br': { display: 'block', flexBasis: '100%', width: '100%', content: '""' },
  '.cm-panel.cm-search .cm-textfield': {
    height: '30px',
    width: '220px',
    margin: '0',
    padding: '0 10px',
    font: 'inherit',
    color: 'inherit',
    background: 'var(--mantine-color-body)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: '6px',
  },
  '.cm-panel.cm-search .cm-button': {
    minHeight: '30px',
    margin: '0',
    padding: '0 10px',
    font: 'inherit',
    color: 'inherit',
    background: 'var(--mantine-color-body)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: '6px',
    cursor: 'pointer',
  },
  '.cm-panel.cm-search .cm-button:hover': { background: 'var(--console-hover)' },
  '.cm-panel.cm-search label': {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '4px',
    minHeight: '24px',
    margin: '0',
    fontSize: '12px',
  },
  '.cm-panel.cm-search input[type=checkbox]': {
    width: '16px',
    height: '16px',
    margin: '0',
    accentColor: 'var(--mantine-primary-color-filled)',
  },
  '.cm-collapsedLines': {
    padding: '4px 8px',
    color: 'var(--mantine-color-dimmed)',
    fontSize: '12px',
    background: 'var(--console-sidebar)',
  },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"' },
  '.cm-upload': {
    padding: '1px 8px',
    color: 'var(--mantine-color-dimmed)',
    fontSize: '12px',
    border: '1px dashed var(--console-line)',
    borderRadius: '6px',
  },
  '.cm-panel.cm-search [name=close]': {
    top: '8px',
    right: '8px',
    width: '28px',
    height: '28px',
    fontSize: '18px',
    cursor: 'pointer',
    color: 'inherit',
    borderRadius: '6px',
  },
});

export const editorLook = [theme, syntaxHighlighting(highlight)];
