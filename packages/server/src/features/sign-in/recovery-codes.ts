/**
 * Ten one-time codes that replace a lost authenticator app. With 119 bits each they need no slow hash (OWASP ASVS 5.0, 6.5.2).
 */

import { type Statement, type Step, step } from '../../kernel/database/batch.ts';
import type { Database } from '../../kernel/database/database.ts';
import { defineRow, number } from '../../kernel/database/row.ts';
import { hashSecret } from '../../kernel/identity/secrets.ts';
import { randomBase62 } from '../../kernel/lib/base62.ts';

const count = 10;
const groups = 4;
const groupLength = 5;

const deleteCodes: Statement = {
  name: 'recovery_codes_delete',
  text: 'DELETE FROM trellis.recovery_codes WHERE user_id = $1',
};
const insertCodes: Statement = {
  name: 'recovery_codes_insert',
  text: `INSERT INTO trellis.recovery_codes (user_id, hash) SELECT $1, decode(hash, 'hex') FROM unnest($2::text[]) hash`,
};
const takeCode: Statement = {
  name: 'recovery_codes_take',
  text: 'DELETE FROM trellis.recovery_codes WHERE user_id = $1 AND hash = $2',
};
const countRow = defineRow({ count: number('count(*)') });
const countCodes: Statement = {
  name: 'recovery_codes_count',
  text: `SELECT ${countRow.list} FROM trellis.recovery_codes WHERE user_id = $1`,
};

/** New codes, and the steps that store them in place of all that the user has. They are shown once. */
export function makeRecoveryCodes(userId: string): { readonly codes: string[]; readonly steps: Step[] } {
  const codes = Array.from({ length: count }, () =>
    Array.from({ length: groups }, () => randomBase62(groupLength)).join('-'),
  );
  const hashes = codes.map((code) => hashCode(userId, code).toString('hex'));
  const steps = [removeRecoveryCodesStep(userId), step(insertCodes, [userId, `{${hashes.join(',')}}`])];
  return { codes, steps };
}

/** Whether it is a code of the user; it is none from then on. */
export async function spendRecoveryCode(auth: Database, userId: string, code: string): Promise<boolean> {
  const [taken] = await auth.executeInBackground([step(takeCode, [userId, hashCode(userId, code)])]);
  return taken?.affected === 1;
}

/** Codes that are left. */
export async function countRecoveryCodes(auth: Database, userId: string): Promise<number> {
  const [result] = await auth.queryInBackground([step(countCodes, [userId])]);
  return countRow.first(result)?.count ?? 0;
}

/** Forgets all codes of a user. */
export function removeRecoveryCodesStep(userId: string): Step {
  return step(deleteCodes, [userId]);
}

/** White space and hyphens are how it was written down. */
function hashCode(userId: string, code: string): Buffer {
  return hashSecret('recovery code', `${userId}\n${code.replace(/[\s-]/g, '')}`);
}
