/** Mantine's tooltip, as a module that can be loaded alone. */
export { Tooltip } from '@mantine/core';
