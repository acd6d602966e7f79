/**
 * Renders what packages/client knows of the API: the types of its bodies, and the list of its operations, from the OpenAPI
 * document. The schemas of the document use a small part of JSON Schema; an unknown keyword ends the generation.
 */
import { isPlainObject } from '@trellis/schema/values/plain-object.ts';

type Schema = Readonly<Record<string, unknown>>;

const heading = '// Generated from the OpenAPI document by "npm run generate". Do not edit.\n';

/** Keywords that restrict values further than a type can say, or only describe them. */
const ignoredKeywords = new Set([
  ...[
    'description',
    'examples',
    'example',
    'default',
    'format',
    'pattern',
    'minLength',
    'maxLength',
    'minimum',
  ],
  ...['maximum', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'discriminator', 'readOnly'],
  ...['x-max-bytes', 'x-format', 'x-max-folded-length', 'title'],
]);

/** The names of the two generated modules, and their texts. */
export interface ClientModules {
  readonly types: string;
  readonly operations: string;
}

/** Renders the modules. @throws Error for what the document contains and this generator does not know */
export function renderClientModules(document: Schema): ClientModules {
  const generator = new Generator(document);
  const operations = generator.renderOperations();
  return { types: generator.renderTypes(), operations };
}

class Generator {
  private readonly document: Schema;
  private readonly schemas: Readonly<Record<string, Schema>>;
  /** Names of schemas that operations use, directly or through others. */
  private readonly used = new Set<string>();
  /** Names of types that the module of operations imports. */
  private readonly imported = new Set<string>();

  constructor(document: Schema) {
    this.document = document;
    this.schemas = objectsAt(objectAt(document, 'components'), 'schemas');
  }

  renderOperations(): string {
    const entries: string[] = [];
    const rows: string[] = [];
    for (const [path, methods] of Object.entries(objectsAt(this.document, 'paths'))) {
      for (const [method, operation] of Object.entries(methods)) {
        if (!isPlainObject(operation)) throw new Error(`${method} ${path} is no operation`);
        entries.push(this.renderOperationType(operation));
        rows.push(this.renderOperationRow(path, method, operation));
      }
    }
    const names = [...this.imported].sort();
    return [
      heading,
      '// Every operation of the API: the types of its parameters, body and response, and how it is sent.\n',
      "import type { Content } from '../content.ts';",
      `import type {\n${names.map((name) => `  ${name},\n`).join('')}} from './types.ts';\n`,
      '/** Types by operation. `selection` is the response to a request with the parameter `fields`. */',
      `export interface Operations {\n${entries.join('')}}\n`,
      '/** How each operation is sent. `hasKey`: it takes an Idempotency-Key. */',
      `export const operations = {\n${rows.join('')}} as const satisfies Record<keyof Operations, OperationRow>;\n`,
      '/** A row of the list. */',
      'export interface OperationRow {',
      "  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';",
      '  /** Below the origin, with parameters in braces. */',
      '  readonly path: string;',
      '  /** Media type of the body; null without one. */',
      '  readonly sends: string | null;',
      '  /** What a successful response contains. */',
      "  readonly returns: 'json' | 'bytes' | 'nothing';",
      '  readonly hasKey: boolean;',
      '}\n',
      '/** The codes of problems, from the catalogue at /docs/errors. */',
      `export const problemCodes = [\n${this.problemCodes()
        .map((code) => `  '${code}',\n`)
        .join('')}] as const;\n`,
    ].join('\n');
  }

  renderTypes(): string {
    const rendered = Object.entries(this.schemas)
      .filter(([name]) => this.used.has(name))
      .map(
        ([name, schema]) => `${comment(schema, '')}export type ${name} = ${this.renderType(schema, '')};\n`,
      );
    return [
      heading,
      '// The types of the records and bodies of the API.\n',
      [
        '/** The members of a record that the parameter `fields` selects; the id is always among them. */',
        "export type Selection<T extends { id: string }> = Pick<T, 'id'> & Selected<T>;\n",
        'type Selected<T> = T extends readonly (infer Item)[]',
        '  ? readonly Selected<Item>[]',
        '  : T extends object',
        '    ? { [Name in keyof T]?: Selected<T[Name]> }',
        '    : T;\n',
      ].join('\n'),
      ...rendered,
    ].join('\n');
  }

  private renderOperationType(operation: Schema): string {
    const parameters = listAt(operation, 'parameters').map((parameter) => this.resolve(parameter));
    const inside = (place: string) => parameters.filter((parameter) => parameter.in === place);
    const { result, selection } = this.resultOf(operation);
    return [
      `  /** ${String(operation.summary)}. */`,
      `  ${operationId(operation)}: {`,
      `    path: ${this.renderParameters(inside('path'))};`,
      `    query: ${this.renderParameters(inside('query'))};`,
      `    body: ${this.bodyOf(operation)};`,
      `    result: ${result};`,
      `    selection: ${selection};`,
      '  };\n',
    ].join('\n');
  }

  private renderOperationRow(path: string, method: string, operation: Schema): string {
    const types = Object.keys(contentOf(operation.requestBody));
    const sends = types.includes(formType) ? 'application/octet-stream' : (types[0] ?? null);
    const { content } = this.successOf(operation);
    const returns = content === null ? 'nothing' : 'application/json' in content ? 'json' : 'bytes';
    const hasKey = listAt(operation, 'parameters').some(
      (parameter) => this.resolve(parameter).name === 'Idempotency-Key',
    );
    const media = sends === null ? 'null' : `'${sends}'`;
    return `  ${operationId(operation)}: { method: '${method.toUpperCase()}', path: '${path}', sends: ${media}, returns: '${returns}', hasKey: ${hasKey} },\n`;
  }

  private renderParameters(parameters: readonly Schema[]): string {
    if (parameters.length === 0) return 'null';
    const members = parameters.map((parameter) => {
      const type = this.use(parameter.schema);
      const member = parameter.required === true ? `: ${type}` : `?: ${type} | undefined`;
      return `${comment(parameter, '      ')}      ${quoteKey(String(parameter.name))}${member};\n`;
    });
    return `{\n${members.join('')}    }`;
  }

  private bodyOf(operation: Schema): string {
    const content = contentOf(operation.requestBody);
    if (formType in content) return 'Content';
    const [media = null] = Object.values(content);
    return media === null ? 'null' : this.use(isPlainObject(media) ? media.schema : undefined);
  }

  /** The response to a request without and with `fields`. */
  private resultOf(operation: Schema): { result: string; selection: string } {
    const { content } = this.successOf(operation);
    if (content === null) return { result: 'null', selection: 'null' };
    const media = content['application/json'];
    if (!isPlainObject(media)) return { result: 'ReadableStream<Uint8Array>', selection: 'null' };
    const result = this.use(media.schema);
    const hasFields = listAt(operation, 'parameters').some(({ name }) => name === 'fields');
    if (!hasFields) return { result, selection: 'null' };
    const items = isPlainObject(this.schemas[result]?.properties)
      ? this.schemas[result].properties.items
      : null;
    if (!isPlainObject(items)) return { result, selection: this.selectionOf(result) };
    const item = this.use(items.items);
    const selected = this.selectionOf(item);
    return { result, selection: `Omit<${result}, 'items'> & { items: readonly ${selected}[] }` };
  }

  /** The response to a request with `fields`: records of which members are missing. */
  private selectionOf(record: string): string {
    this.imported.add('Selection');
    return `Selection<${record}>`;
  }

  /** The first documented success; its content is null when it has none. */
  private successOf(operation: Schema): { content: Schema | null } {
    const [first] = Object.entries(objectsAt(operation, 'responses')).filter(([status]) => status < '300');
    if (first === undefined) throw new Error(`${operationId(operation)} has no success`);
    const content = contentOf(first[1]);
    return { content: Object.keys(content).length === 0 ? null : content };
  }

  /** The type of a schema in the module of operations. */
  private use(schema: unknown): string {
    const type = this.renderType(schema, '      ');
    for (const name of this.used) if (new RegExp(`\\b${name}\\b`).test(type)) this.imported.add(name);
    return type;
  }

  private renderType(schema: unknown, indent: string): string {
    if (!isPlainObject(schema)) return 'unknown';
    if (typeof schema.$ref === 'string') return this.reference(schema.$ref);
    const unknown = Object.keys(schema).filter(
      (keyword) => !ignoredKeywords.has(keyword) && !knownKeywords.has(keyword),
    );
    if (unknown.length > 0) throw new Error(`unknown keywords of JSON Schema: ${unknown.join(', ')}`);
    const choices = schema.anyOf ?? schema.oneOf;
    if (Array.isArray(choices)) return this.renderUnion(choices, indent);
    if (Array.isArray(schema.enum)) return schema.enum.map(renderLiteral).join(' | ');
    switch (schema.type) {
      case 'string':
      case 'boolean':
      case 'null':
        return schema.type;
      case 'integer':
      case 'number':
        return 'number';
      case 'array':
        return this.renderArray(schema.items, indent);
      case 'object':
        return this.renderObject(schema, indent);
      default:
        return 'unknown';
    }
  }

  private renderUnion(choices: readonly unknown[], indent: string): string {
    return [...new Set(choices.map((choice) => this.renderType(choice, indent)))].join(' | ');
  }

  private renderArray(items: unknown, indent: string): string {
    const item = this.renderType(items, indent);
    return `readonly ${/[|{ ]/.test(item) && !item.startsWith('{') ? `(${item})` : item}[]`;
  }

  private renderObject(schema: Schema, indent: string): string {
    const properties = objectsAt(schema, 'properties');
    const names = Object.keys(properties);
    if (names.length === 0) {
      const values = isPlainObject(schema.additionalProperties)
        ? this.renderType(schema.additionalProperties, indent)
        : 'unknown';
      return `{ [name: string]: ${values} }`;
    }
    const required = Array.isArray(schema.required) ? schema.required : [];
    const inner = `${indent}  `;
    const members = Object.entries(properties).map(([name, member]) => {
      const key = quoteKey(name);
      const optional = required.includes(name) ? '' : '?';
      return `${comment(member, inner)}${inner}${key}${optional}: ${this.renderType(member, inner)};\n`;
    });
    return `{\n${members.join('')}${indent}}`;
  }

  /** The name of a schema; it and what it refers to are rendered. */
  private reference(pointer: string): string {
    const name = pointer.split('/').at(-1) ?? '';
    const schema = this.schemas[name];
    if (schema === undefined) throw new Error(`there is no schema ${pointer}`);
    if (!this.used.has(name)) {
      this.used.add(name);
      this.renderType(schema, '');
    }
    return name;
  }

  private resolve(parameter: Schema): Schema {
    if (typeof parameter.$ref !== 'string') return parameter;
    const name = parameter.$ref.split('/').at(-1) ?? '';
    return objectAt(objectAt(objectAt(this.document, 'components'), 'parameters'), name);
  }

  private problemCodes(): readonly string[] {
    const code = objectAt(objectAt(this.schemas.Problem ?? {}, 'properties'), 'code');
    if (!Array.isArray(code.enum)) throw new Error('the document has no list of problem codes');
    return code.enum.map(String);
  }
}

/** How the document declares an upload. The client sends the bytes themselves, which take no memory. */
const formType = 'multipart/form-data';

const knownKeywords = new Set([
  'type',
  'properties',
  'required',
  'items',
  'anyOf',
  'oneOf',
  'enum',
  'additionalProperties',
]);

function renderLiteral(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);
}

function comment(schema: Schema, indent: string): string {
  if (typeof schema.description !== 'string') return '';
  return `${indent}/** ${schema.description.replaceAll('*/', '*\\/').replace(/\s+/g, ' ')} */\n`;
}

function operationId(operation: Schema): string {
  return String(operation.operationId);
}

function contentOf(holder: unknown): Schema {
  return isPlainObject(holder) && isPlainObject(holder.content) ? holder.content : {};
}

/** The name of a member, in quotation marks if it needs them. */
function quoteKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`;
}

function objectAt(holder: Schema, name: string): Schema {
  const value = holder[name];
  if (!isPlainObject(value)) throw new Error(`the document has no ${name}`);
  return value;
}

function objectsAt(holder: Schema, name: string): Readonly<Record<string, Schema>> {
  const value = holder[name] ?? {};
  if (!isPlainObject(value)) throw new Error(`${name} is no object`);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, isPlainObject(member) ? member : {}]),
  );
}

function listAt(holder: Schema, name: string): readonly Schema[] {
  const value = holder[name] ?? [];
  return Array.isArray(value) ? value.filter(isPlainObject) : [];
}
