/** What a feature adds to the OpenAPI and AsyncAPI documents and to the documentation pages. */
import type { OperationDescription } from '../http/operation.ts';
import type { Schemas } from '../http/schemas.ts';
import type { Block, Page } from './documentation/page.ts';

/** An operation beside the tenant API that its document describes as well: callers need no token. */
interface PublicOperation {
  readonly operation: OperationDescription;
  /** What a call needs, in the table of operations. */
  readonly needs: string;
  /** The operation in the OpenAPI document. */
  readonly describe: () => Record<string, unknown>;
}

/** A documentation page below `/docs`. */
export interface DocumentationPage {
  readonly path: string;
  /** Its name in the navigation. */
  readonly name: string;
  /** What the page has, as a sentence. */
  readonly about: string;
  readonly page: () => Page;
  /** A demonstration below the text. */
  readonly demonstration?: {
    readonly html: string;
    /** The script that it runs, which may call this server. */
    readonly script: { readonly path: string; readonly text: string };
  };
}

/** The part of a feature in the documents and pages; absent members add nothing. */
export interface FeatureDocuments {
  /** Descriptions of tags that are no resource's. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Components of responses. `origin`: public address of the server */
  readonly schemas?: (origin: string) => Schemas;
  readonly publicOperations?: readonly PublicOperation[];
  readonly securitySchemes?: Readonly<Record<string, unknown>>;
  /** Calls that the server makes, as the section `webhooks` and its parameters have them. */
  readonly calls?: {
    readonly webhooks: () => Record<string, unknown>;
    readonly parameters: Readonly<Record<string, unknown>>;
  };
  /** Channels and components of the AsyncAPI document. `origin`: as above */
  readonly messages?: (origin: string) => FeatureMessages;
  readonly pages?: readonly DocumentationPage[];
  /** Sections of the page about limits. */
  readonly limits?: readonly Block[];
}

/** The part of a feature in the AsyncAPI document. */
export interface FeatureMessages {
  readonly channels: Readonly<
    Record<string, { readonly messages: unknown; readonly [member: string]: unknown }>
  >;
  readonly operations: Readonly<Record<string, unknown>>;
  readonly servers?: Readonly<Record<string, unknown>>;
  readonly schemas?: Schemas;
}
