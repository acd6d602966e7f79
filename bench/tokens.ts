/** Tokens for the requests of a benchmark. */
import { allScopes } from '@trellis/schema/rights/scopes.ts';
import { createToken } from '@trellis/server/features/access/tokens.ts';
import { Database } from '@trellis/server/kernel/database/database.ts';

/** Tokens with every scope, of members with these e-mail addresses and in their order. */
export async function makeTokens(
  workerUrl: string,
  organization: string,
  emails: readonly string[],
): Promise<string[]> {
  const worker = new Database({
    url: workerUrl,
    poolSize: 1,
    prepare: true,
    acquireTimeoutMs: 1_000,
    applicationName: 'trellis bench',
    log: () => undefined,
  });
  try {
    const tokens: string[] = [];
    for (const email of emails) {
      const { token } = await createToken(worker, {
        organization,
        email,
        scopes: allScopes,
        audiences: ['api'],
        expiresInSeconds: 86_400,
        client: 'Bench',
      });
      tokens.push(token);
    }
    return tokens;
  } finally {
    await worker.close();
  }
}
