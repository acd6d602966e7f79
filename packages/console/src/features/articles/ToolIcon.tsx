/** The icons of the editor's tools: outlines of Lucide, as in `parts/icons.tsx`, which every page loads. */
import { Outline } from '../../ui/icons.tsx';

const paths = {
  bold: 'M6 4h8a4 4 0 0 1 0 8H6zM6 12h9a4 4 0 0 1 0 8H6z',
  code: 'm16 18 6-6-6-6M8 6l-6 6 6 6',
  contents: 'M16 5H3M16 12H3M16 19H3M21 5h.01M21 12h.01M21 19h.01',
  expand: 'M15 3h6v6M9 21H3v-6M21 3l-7 7M3 21l7-7',
  heading: 'M6 4v16M18 4v16M6 12h12',
  image: 'M3 3h18v18H3zM9 11a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM21 15l-3.1-3.1a2 2 0 0 0-2.8 0L6 21',
  italic: 'M19 4h-9M14 20H5M15 4 9 20',
  library: 'M7 2h15v15H7zM2 7v13a2 2 0 0 0 2 2h13M22 13l-3-3-7 7M12 8h.01',
  link: 'M10 13a5 5 0 0 0 7.5.5l3-3a5 5 0 0 0-7-7l-1.7 1.7M14 11a5 5 0 0 0-7.5-.5l-3 3a5 5 0 0 0 7 7l1.7-1.7',
  list: 'M8 6h13M8 12h13M8 18h13M3 6h.01M3 12h.01M3 18h.01',
  quote: 'M17 6H3M21 12H8M21 18H8M3 12v6',
  search: 'M11 19a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM21 21l-4.3-4.3',
  shrink: 'M4 14h6v6M20 10h-6V4M14 10l7-7M3 21l7-7',
} as const;

export type ToolIconName = keyof typeof paths;

export function ToolIcon({ name }: { readonly name: ToolIconName }) {
  return <Outline path={paths[name]} />;
}
