/** Finds the members of the organization, whom records name as people do: by name or e-mail address. */
import { ProblemError } from '@trellis/client/problem.ts';
import { resourceByName } from '@trellis/schema/resources/index.ts';
import { userPrefix } from '@trellis/schema/validation/values.ts';
import { decodeId } from '@trellis/schema/values/ids.ts';
import { foldText, normalizeText } from '@trellis/schema/values/text.ts';
import type { Api } from './api.ts';
import { ImportStopped, RowRejected } from './errors.ts';
import { idInName } from './tables/cells.ts';

/** A member of the organization. */
interface Member {
  readonly id: string;
  readonly name: string;
  /** Null for a service member. */
  readonly email: string | null;
}

/** The members, which are read once. */
export class Members {
  private readonly api: Api;
  private ids: Promise<ReadonlyMap<string, readonly string[]>> | null = null;

  constructor(api: Api) {
    this.api = api;
  }

  /**
   * The id of the member that a text names; the text itself if it is an id.
   * @param field for the reason
   * @throws RowRejected for an unknown name, and one that several have; ImportStopped
   */
  async find(field: string, text: string): Promise<string> {
    const [id, other] = await this.idsOf(text);
    if (id !== undefined && other === undefined) return id;
    const shown = text.slice(0, 80);
    throw new RowRejected([
      id === undefined
        ? `${field}: "${shown}" is neither the name nor the e-mail address of a member.`
        : `${field}: More than one member is called "${shown}". Give the e-mail address.`,
    ]);
  }

  /** Whether a text names one member. @throws ImportStopped */
  async knows(text: string): Promise<boolean> {
    return (await this.idsOf(text)).length === 1;
  }

  /** The ids of the members that a text names; an id that it has itself, unseen. */
  private async idsOf(text: string): Promise<readonly string[]> {
    const given = decodeId(userPrefix, text.trim()) === null ? idInName(text, userPrefix) : text.trim();
    if (given !== null) return [given];
    this.ids ??= readMembers(this.api).then(idsByName);
    return (await this.ids).get(toKey(text)) ?? [];
  }
}

/** All members, also disabled ones. Whoever may not read them knows none. @throws ImportStopped */
async function readMembers(api: Api): Promise<readonly Member[]> {
  const { path } = resourceByName('members');
  const members: Member[] = [];
  try {
    for await (const { id, name, email } of api.list(path, { limit: '100', fields: 'name,email' }))
      members.push({ id: String(id), name: String(name), email: typeof email === 'string' ? email : null });
  } catch (error) {
    const cause = error instanceof ImportStopped ? error.cause : error;
    if (!(cause instanceof ProblemError) || cause.status !== 403) throw error;
  }
  return members;
}

function idsByName(members: readonly Member[]): ReadonlyMap<string, readonly string[]> {
  const named = members.flatMap(({ id, name, email }) =>
    [...new Set([name, email ?? name].map(toKey))].map((key) => ({ key, id })),
  );
  return new Map(
    [...Map.groupBy(named, ({ key }) => key)].map(([key, all]) => [key, all.map(({ id }) => id)]),
  );
}

/** Letter case and accents are ignored. */
function toKey(name: string): string {
  return foldText(normalizeText(name));
}
