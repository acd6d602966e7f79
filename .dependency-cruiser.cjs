/**
 * Who may import whom. The packages schema, client and importer run in a browser too, and client imports nothing; the server is built on
 * them. The server has a kernel that knows no feature, features above it, and processes and commands that put both together. Reads, lists,
 * searches and writes are folders of the pipeline, with rules of their own. The pages of the console have floors, each of which may
 * import those below it.
 *
 * `npm run check` runs it, and seeds violations first to see that the rules bite.
 */
const { readdirSync } = require('node:fs');
const { builtinModules } = require('node:module');
const { join } = require('node:path');

const server = '^packages/server/src/';
const kernel = `${server}kernel/`;
const serverFeatures = `${server}features/`;

/** Folders of the kernel and which others each may import, besides itself and the package schema. */
const kernelFolders = {
  lib: [],
  objects: [],
  'rate-limits': ['lib'],
  database: ['lib'],
  events: ['lib', 'database'],
  identity: ['lib', 'database', 'events'],
  config: ['lib', 'database', 'events'],
  pipeline: ['lib', 'database', 'identity', 'events'],
  http: ['lib', 'database', 'identity', 'events', 'pipeline', 'objects', 'rate-limits'],
  contract: ['lib', 'pipeline', 'identity', 'http'],
  background: ['lib', 'database', 'events', 'config', 'objects', 'pipeline', 'http'],
};
/** Features of the server that use parts of another one. */
const usedServerFeatures = {
  access: ['sign-in'],
  articles: ['uses'],
  backup: ['access', 'knowledge'],
  demo: ['access'],
  issues: ['articles'],
  knowledge: ['uses'],
  publishing: ['articles'],
};
const featuresOfServer = readdirSync(join(__dirname, 'packages/server/src/features'));

const pipeline = `${kernel}pipeline/`;
/** Folders of the pipeline, and which others each may import besides the files above them, which import none. */
const pipelineFolders = { read: [], search: [], list: ['search'], write: ['search'] };

const pages = '^packages/console/src/';
/** Folders of the console's pages, from the ground up. */
const floors = [
  'text',
  'api',
  'storage',
  'outbox/store',
  'outbox/merge',
  'outbox/send',
  'outbox/edit',
  'outbox/bulk',
  'ui',
  'session',
  'resources',
  'fields',
  'live',
  'pending',
  'records',
  'lists',
  'features',
  'shell',
  'app',
];
/** Features that use parts of another one. */
const usedFeatures = {
  articles: ['knowledge'],
  home: ['events'],
  invitation: ['sign-in'],
  settings: ['events'],
  account: ['settings'],
  visitors: ['settings'],
  webhooks: ['events'],
};
const features = readdirSync(join(__dirname, 'packages/console/src/features'));

/** Packages, and which others each may import. */
const packages = {
  schema: [],
  agent: [],
  'embedded-postgres': [],
  client: [],
  importer: ['schema', 'client'],
  console: ['schema', 'client', 'importer'],
  server: ['schema', 'client', 'importer', 'console', 'embedded-postgres'],
};

module.exports = {
  forbidden: [
    ...Object.entries(packages).map(([name, may]) => ({
      name: `package-${name}`,
      severity: 'error',
      comment: `packages/${name} may import only: ${may.join(', ')}.`,
      from: { path: `^packages/${name}/` },
      to: { path: '^packages/', pathNot: `^packages/(${[name, ...may].join('|')})/` },
    })),
    ...Object.entries(kernelFolders).map(([name, may]) => ({
      name: `kernel-${name}`,
      severity: 'error',
      comment: `The kernel's ${name} may import only: ${may.join(', ')}.`,
      from: { path: `${kernel}${name}/` },
      to: { path: server, pathNot: `${kernel}(${[name, ...may].join('|')})/` },
    })),
    {
      name: 'kernel-knows-no-feature',
      severity: 'error',
      comment: 'The kernel knows features by the type in kernel/feature.ts alone.',
      from: { path: kernel },
      to: { path: server, pathNot: kernel },
    },
    {
      name: 'kernel-has-no-other-folders',
      severity: 'error',
      from: {},
      to: { path: `${kernel}[^/]+/`, pathNot: `${kernel}(${Object.keys(kernelFolders).join('|')})/` },
    },
    ...featuresOfServer.map((name) => ({
      name: `feature-${name}`,
      severity: 'error',
      comment: `The feature ${name} may import the kernel and these features: ${(usedServerFeatures[name] ?? []).join(', ')}.`,
      from: { path: `${serverFeatures}${name}/` },
      to: {
        path: server,
        pathNot: `${kernel}|${serverFeatures}(${[name, ...(usedServerFeatures[name] ?? [])].join('|')})/`,
      },
    })),
    {
      name: 'adapters-import-the-kernel-alone',
      severity: 'error',
      from: { path: `${server}adapters/` },
      to: { path: server, pathNot: `${kernel}|${server}adapters/` },
    },
    {
      name: 'only-processes-import-adapters',
      severity: 'error',
      from: { path: server, pathNot: `${server}(adapters|node|commands)/` },
      to: { path: `${server}adapters/` },
    },
    {
      name: 'console-imports-the-kernel-alone',
      severity: 'error',
      from: { path: `${server}console/` },
      to: { path: server, pathNot: `${kernel}|${server}console/` },
    },
    {
      name: 'pipeline-shared',
      severity: 'error',
      comment: 'What the folders of the pipeline share imports none of them.',
      from: { path: `${pipeline}[^/]+\\.ts$` },
      to: { path: `${pipeline}[^/]+/` },
    },
    ...Object.entries(pipelineFolders).map(([name, may]) => ({
      name: `pipeline-${name}`,
      severity: 'error',
      comment: `The pipeline's ${name} may import of its other folders only: ${may.join(', ')}.`,
      from: { path: `${pipeline}${name}/` },
      to: { path: `${pipeline}[^/]+/`, pathNot: `${pipeline}(${[name, ...may].join('|')})/` },
    })),
    {
      name: 'nothing-imports-the-node',
      severity: 'error',
      from: { path: server, pathNot: `${server}(node/|commands/|(main|program)\\.ts$)` },
      to: { path: `${server}(node|commands)/|${server}features\\.ts$` },
    },
    {
      name: 'node-does-not-import-commands',
      severity: 'error',
      from: { path: `${server}node/` },
      to: { path: `${server}commands/` },
    },
    {
      name: 'commands-do-not-import-http',
      severity: 'error',
      from: { path: `${server}commands/` },
      to: { path: `${kernel}(http|contract|pipeline)/` },
    },
    {
      name: 'only-database-imports-the-driver',
      severity: 'error',
      from: { path: '^packages/', pathNot: `^packages/(server/src/kernel/database|embedded-postgres)/` },
      to: { path: 'node_modules/pg' },
    },
    {
      name: 'only-the-types-of-typebox',
      severity: 'error',
      comment: 'packages/schema/src/resources/type.ts has its builders, and says why.',
      from: { path: '^packages/' },
      to: { path: 'node_modules/typebox', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'runs-in-a-browser',
      severity: 'error',
      comment: 'Neither these packages nor anything that they import may use Node or the server.',
      from: { path: '^packages/(schema|client|importer|agent)/' },
      to: {
        path: `^(packages/server/|node:|(${builtinModules.join('|')})$|node_modules/(pg|commander)/)`,
        reachable: true,
      },
    },
    {
      name: 'console-runs-in-a-browser',
      severity: 'error',
      comment: 'The pages of the console use neither Node nor what builds them.',
      from: { path: '^packages/console/src/' },
      to: {
        path: `^(packages/(server|console/build)/|node:|(${builtinModules.join('|')})$|node_modules/(pg|vite|commander)/)`,
      },
    },
    ...floors.slice(0, -1).map((floor, index) => ({
      name: `console-floor-${floor.replace('/', '-')}`,
      severity: 'error',
      comment: `The console's ${floor} may import only the floors below it.`,
      from: { path: `${pages}${floor}/` },
      to: { path: `${pages}((${floors.slice(index + 1).join('|')})/|main\\.tsx$)` },
    })),
    {
      name: 'console-has-no-other-floors',
      severity: 'error',
      from: {},
      to: { path: `${pages}[^/]+/`, pathNot: `${pages}(${floors.join('|')})/` },
    },
    ...features.map((name) => ({
      name: `console-feature-${name}`,
      severity: 'error',
      comment: `The console's feature ${name} may import no other features than: ${(usedFeatures[name] ?? []).join(', ')}.`,
      from: { path: `${pages}features/${name}/` },
      to: {
        path: `${pages}features/`,
        pathNot: `${pages}features/(${[name, ...(usedFeatures[name] ?? [])].join('|')})/`,
      },
    })),
    {
      name: 'console-stores-sealed',
      severity: 'error',
      comment: 'What the console stores in the browser goes through the vault, which seals it.',
      from: { path: '^packages/console/src/', pathNot: '^packages/console/src/storage/vault\\.ts$' },
      to: { path: '^packages/console/src/storage/indexed-db\\.ts$' },
    },
    {
      name: 'server-imports-only-the-build-of-the-console',
      severity: 'error',
      from: { path: server },
      to: { path: '^packages/console/', pathNot: '^packages/console/build/page\\.ts$' },
    },
    {
      name: 'source-does-not-import-tests',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(test|bench|scripts)/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Not even of types.',
      from: { path: '^packages/' },
      to: { circular: true },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: { path: '^packages/' },
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: 'specify',
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
  },
};
