#!/usr/bin/env node
// The command `trellis` of the published package.

import { fileURLToPath } from 'node:url';
import { launch } from './launcher.mjs';

launch(fileURLToPath(new URL('../dist/main.js', import.meta.url)), process.argv.slice(2));
