/**
 * Who may import whom. Read upwards: lib knows nobody; resources know lib; objects, knowledge, visitors, database, identity
 * and events know resources; the pipeline knows the last three; webhooks are built on the pipeline, content on webhooks,
 * the pipeline, objects and knowledge;
 * http and the command line are built on all of that and know nothing of each other; main and what makes a node (node.ts,
 * background/, workers/) put everything together.
 *
 * `npm run check` runs it, and seeds a violation first to see that it still bites.
 */
const { builtinModules } = require('node:module');

const layers = [
  { name: 'lib', path: '^src/lib/', may: ['lib'] },
  { name: 'resources', path: '^src/resources/', may: ['lib', 'resources'] },
  { name: 'objects', path: '^src/objects/', may: ['lib', 'resources', 'objects'] },
  { name: 'database', path: '^src/database/', may: ['lib', 'resources', 'database'] },
  { name: 'identity', path: '^src/identity/', may: ['lib', 'resources', 'database', 'identity'] },
  { name: 'events', path: '^src/events/', may: ['lib', 'resources', 'database', 'identity', 'events'] },
  {
    name: 'pipeline',
    path: '^src/pipeline/',
    may: ['lib', 'resources', 'database', 'identity', 'events', 'pipeline'],
  },
  {
    name: 'webhooks',
    path: '^src/webhooks/',
    may: ['lib', 'resources', 'database', 'identity', 'events', 'pipeline', 'webhooks'],
  },
  { name: 'knowledge', path: '^src/knowledge/', may: ['lib', 'resources', 'knowledge'] },
  {
    name: 'content',
    path: '^src/content/',
    may: [
      'lib',
      'resources',
      'database',
      'identity',
      'events',
      'pipeline',
      'objects',
      'knowledge',
      'webhooks',
      'content',
    ],
  },
  {
    name: 'sandbox',
    path: '^src/sandbox/',
    may: ['lib', 'resources', 'database', 'identity', 'sandbox'],
  },
  {
    name: 'administration',
    path: '^src/administration/',
    may: ['lib', 'resources', 'database', 'identity', 'events', 'pipeline', 'administration'],
  },
  {
    name: 'demo',
    path: '^src/demo/',
    may: ['lib', 'resources', 'database', 'identity', 'administration', 'demo'],
  },
  {
    name: 'visitors',
    path: '^src/visitors/',
    may: ['lib', 'resources', 'database', 'identity', 'events', 'pipeline', 'visitors'],
  },
  { name: 'agent', path: '^src/agent/', may: ['agent'] },
  {
    name: 'http',
    path: '^src/http/',
    may: [
      'lib',
      'resources',
      'database',
      'identity',
      'events',
      'pipeline',
      'objects',
      'knowledge',
      'visitors',
      'webhooks',
      'content',
      'sandbox',
      'http',
    ],
  },
];

module.exports = {
  forbidden: [
    ...layers.map(({ name, path, may }) => ({
      name: `layer-${name}`,
      severity: 'error',
      comment: `src/${name} may import only: ${may.join(', ')}.`,
      from: { path },
      to: { path: '^src/', pathNot: `^src/(${may.join('|')})/` },
    })),
    {
      name: 'only-main-imports-http',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(http/|background/|workers/|main\\.ts$|node\\.ts$)' },
      to: { path: '^src/http/' },
    },
    {
      name: 'only-database-imports-the-driver',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/database/' },
      to: { path: 'node_modules/pg' },
    },
    {
      name: 'resources-and-agent-run-in-a-browser',
      severity: 'error',
      from: { path: '^src/(resources|agent)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'import-engine-runs-in-a-browser',
      severity: 'error',
      comment: 'Neither the engine of the importer nor anything that it imports may use Node or the server.',
      from: { path: '^src/cli/import/engine/' },
      to: {
        path: `^(src/(database|identity|events|config)|node:|(${builtinModules.join('|')})$|node_modules/(pg|commander)/)`,
        reachable: true,
      },
    },
    {
      name: 'source-does-not-import-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench|scripts)/' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, dependencyTypesNot: ['type-only'] },
    },
    { name: 'no-unresolved', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
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
