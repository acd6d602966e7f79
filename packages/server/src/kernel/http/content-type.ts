/** The media type of a request's body and the encoding of its text, from `Content-Type` (RFC 9110, 8.3). */

/** What the header says, in lower case. */
export interface ContentType {
  /** Without parameters; '' when there is no header. */
  readonly mediaType: string;
  /** Whether the header names no charset other than UTF-8. */
  readonly isUtf8: boolean;
}

/** The registered name, and the other one that the Encoding Standard accepts. */
const utf8Names = ['utf-8', 'utf8'];

/** Reads the header. */
export function readContentType(header: string | undefined): ContentType {
  const [mediaType = '', ...parameters] = (header ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charsets = parameters.flatMap((parameter) => {
    const [name, ...value] = parameter.split('=');
    return name === 'charset' ? [value.join('=').replaceAll('"', '')] : [];
  });
  return { mediaType, isUtf8: charsets.every((charset) => utf8Names.includes(charset)) };
}
