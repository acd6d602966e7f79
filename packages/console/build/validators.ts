/**
 * Compiles the schemas of bodies in advance, since the policy of the console's pages allows no code that is made at run time. The build
 * gets a module in place of the schema's `schema-compiler.ts`; it finds the functions by the names that `createInputReader` gives.
 */
import { fileURLToPath } from 'node:url';
import type { Resource } from '@trellis/schema/resources/resource.ts';
import { createAjv } from '@trellis/schema/validation/ajv.ts';
import { createBodySchema, patchBodySchema } from '@trellis/schema/validation/body-schemas.ts';
import { _ } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { Plugin } from 'vite';

const compiler = fileURLToPath(import.meta.resolve('@trellis/schema/validation/schema-compiler.ts'));
const virtualModule = '\0compiled-validators';

/** Gives the build the compiled schemas of bodies that create and change records, for the importer. */
export function compileValidators(resources: readonly Resource[]): Plugin {
  return {
    name: 'compiled-validators',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (importer === undefined || !source.endsWith('/schema-compiler.ts')) return null;
      const resolved = await this.resolve(source, importer, { ...options, skipSelf: true });
      return resolved?.id === compiler ? virtualModule : null;
    },
    load: (id) => (id === virtualModule ? writeValidators(resources) : null),
  };
}

/** The source of the module, with functions for the bodies that create and change a record of each resource. */
export function writeValidators(resources: readonly Resource[]): string {
  const ajv = createAjv({ source: true, esm: true, formats: _`accepts` });
  const schemas = new Map(
    resources.flatMap((resource) => [
      [`${resource.name} create`, createBodySchema(resource)],
      [`${resource.name} patch`, patchBodySchema(resource)],
    ]),
  );
  const names = [...schemas.keys()];
  for (const [name, schema] of schemas) ajv.addSchema(schema, name);
  const exported = Object.fromEntries(names.map((name, index) => [`validate_${index}`, name]));
  const code = standalone.default(ajv, exported);
  const imports = new Map<string, string>();
  // Ajv writes the functions of its own that a validator uses as calls of `require`.
  const body = code.replace(/require\("(ajv\/dist\/runtime\/\w+)"\)\.default/g, (_call, path: string) => {
    const name = imports.get(path) ?? `runtime${imports.size}`;
    imports.set(path, name);
    // Bundlers differ in what they take for the default export of a CommonJS module.
    return `(${name}.default ?? ${name})`;
  });
  return [
    ...[...imports].map(([path, name]) => `import ${name} from '${path}.js';`),
    `import { countBytes } from '@trellis/schema/values/bytes.ts';`,
    `import { formats } from '@trellis/schema/validation/formats.ts';`,
    'const accepts = Object.fromEntries(Object.entries(formats).map(([name, format]) => [name, format.accepts]));',
    body,
    `const byName = new Map([${names.map((name, index) => `[${JSON.stringify(name)}, validate_${index}]`).join(', ')}]);`,
    `export function compileSchema(_schema, name) {
  const found = byName.get(name);
  if (found === undefined) throw new Error('the schema "' + name + '" is not compiled in the console');
  return found;
}`,
  ].join('\n');
}
