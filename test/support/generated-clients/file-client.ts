/**
 * What a program does with a generated client. Each of the other programs here does it as the documentation of its generator says, against the
 * types that were generated, without casts but where a comment says why.
 */

/** A knowledge file, as far as the programs read it. */
export interface StoredFile {
  readonly id: string;
  readonly name: string;
}

/** One page of a list. */
export interface FilePage {
  readonly items: readonly StoredFile[];
  readonly pageInfo: { readonly nextCursor: string | null };
}

/** A client of knowledge files. All methods but `readProblem` throw what the generated client gives for a problem. */
export interface FileClient {
  create(name: string): Promise<StoredFile>;
  read(id: string): Promise<StoredFile>;
  list(limit: number, cursor?: string): Promise<FilePage>;
  /** Files of either visibility. */
  listVisible(visibilities: ('PRIVATE' | 'ORGANIZATION')[]): Promise<FilePage>;
  rename(id: string, name: string): Promise<StoredFile>;
  upload(id: string, file: File): Promise<StoredFile>;
  download(id: string): Promise<Blob>;
  /** Reads a file that there is not. @returns the code of the problem */
  readProblem(id: string): Promise<string>;
}

/** What each program exports. */
export type Connect = (url: string, token: string) => FileClient;
