/**
 * Escapes the ampersands of a document that begin no reference, such as those in `Tom & Jerry` and `?a=1&b=2`, from programs that do not
 * escape what they export. XML does not permit them (XML 1.0, 2.4), and a parser would take what follows for the name of an entity.
 */

/** An ampersand before anything but the rest of a reference. */
const bare = /&(?!(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);)/gi;
/** Longer than `&CounterClockwiseContourIntegral;`, which a piece may cut. */
const longestReference = 40;
/** The begins of parts in which an ampersand is itself, with their ends. */
const ends: Readonly<Record<string, string>> = { '<![CDATA[': ']]>', '<!--': '-->', '<?': '?>' };
const begin = /<!\[CDATA\[|<!--|<\?/;

/** Escapes a document that comes in pieces. */
export class AmpersandEscaper {
  /** The end of the last piece, which the next one decides. */
  private rest = '';
  /** The end of the verbatim part that is open; null outside of one. */
  private end: string | null = null;

  /** The text up to here, except for what the next piece decides. */
  write(piece: string): string {
    let text = this.rest + piece;
    const done: string[] = [];
    for (;;) {
      const found = this.end === null ? begin.exec(text) : null;
      const at = this.end === null ? (found?.index ?? -1) : text.indexOf(this.end);
      if (at < 0) break;
      const sign = this.end ?? found?.[0] ?? '';
      done.push(this.escape(text.slice(0, at)), sign);
      this.end = this.end === null ? (ends[sign] ?? null) : null;
      text = text.slice(at + sign.length);
    }
    const kept = this.end === null ? undecidedLength(text) : Math.min(text.length, this.end.length - 1);
    this.rest = text.slice(text.length - kept);
    done.push(this.escape(text.slice(0, text.length - kept)));
    return done.join('');
  }

  /** The rest of the document. */
  close(): string {
    return this.escape(this.rest);
  }

  private escape(text: string): string {
    return this.end === null ? text.replaceAll(bare, '&amp;') : text;
  }
}

/** The length of a reference, or of the begin of a part, that is not complete. */
function undecidedLength(text: string): number {
  const at = Math.max(text.lastIndexOf('&'), text.lastIndexOf('<'));
  return at < 0 || text.length - at > longestReference ? 0 : text.length - at;
}
