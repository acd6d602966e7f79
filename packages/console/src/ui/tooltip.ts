/** Mantine's tooltip, as a module that can be loaded alone. */
import '@mantine/core/styles/Tooltip.layer.css';

export { Tooltip } from '@mantine/core';
