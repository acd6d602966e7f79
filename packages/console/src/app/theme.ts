/** The look: one accent colour, dense controls, and texts that keep a contrast of 4.5 to 1 in light and dark. */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

const leaf: MantineColorsTuple = [
  '#eef8f2',
  '#dcefe4',
  '#b7dfc8',
  '#8fceaa',
  '#6dbf90',
  '#4fae79',
  '#3a9465',
  '#2b7a51',
  '#236543',
  '#1b5036',
];

/** Neutral greys with a trace of the accent, from text to background of the dark scheme. */
const dark: MantineColorsTuple = [
  '#d5d9d7',
  '#b8bebb',
  '#99a19d',
  '#6f7874',
  '#3b423f',
  '#2d3331',
  '#232826',
  '#1a1e1c',
  '#141716',
  '#0d0f0e',
];

const gray: MantineColorsTuple = [
  '#f8faf9',
  '#f2f5f3',
  '#e8ecea',
  '#dce1de',
  '#cbd2ce',
  '#a9b2ad',
  '#7c8681',
  '#5a635f',
  '#3d4541',
  '#242a27',
];

export const theme = createTheme({
  primaryColor: 'leaf',
  primaryShade: { light: 7, dark: 7 },
  colors: { leaf, dark, gray },
  black: '#1b201e',
  fontFamily: '"Inter Variable", system-ui, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: { fontFamily: '"Inter Variable", system-ui, sans-serif', fontWeight: '600' },
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  defaultRadius: 'md',
  radius: { sm: '4px', md: '6px', lg: '10px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Anchor: { defaultProps: { underline: 'always' } },
    Modal: { defaultProps: { centered: true, radius: 'lg', overlayProps: { backgroundOpacity: 0.35 } } },
    // In the main landmark, since the end of the page is in none. What has the focus first is an item, since a menu may have nothing else.
    Menu: { defaultProps: { portalProps: { target: '#content' }, withInitialFocusPlaceholder: false } },
    Drawer: { defaultProps: { overlayProps: { backgroundOpacity: 0.35 } } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5a635f',
    '--mantine-color-placeholder': '#6b746f',
    '--mantine-color-error': '#b42318',
    '--mantine-color-anchor': '#236543',
    '--console-line': '#e3e8e5',
    '--console-sidebar': '#f5f7f6',
    '--console-hover': '#edf1ef',
    '--console-selected': '#e4ede8',
  },
  dark: {
    '--mantine-color-dimmed': '#99a19d',
    '--mantine-color-placeholder': '#8c9590',
    '--mantine-color-error': '#ff9a8f',
    '--mantine-color-anchor': '#8fceaa',
    '--mantine-color-body': '#141716',
    '--console-line': '#2a302d',
    '--console-sidebar': '#101312',
    '--console-hover': '#1d2220',
    '--console-selected': '#232b27',
  },
});
