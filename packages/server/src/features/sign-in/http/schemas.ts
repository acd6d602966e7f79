/** The bodies and responses of the operations below `/auth`, for validation and the document. */
import { type JsonSchema, orNull } from '@trellis/schema/validation/body-schemas.ts';
import { createBodyCheck } from '@trellis/schema/validation/check-body.ts';
import {
  body,
  boundedText,
  exampleId,
  flag,
  foreign,
  instant as instantWith,
  integer,
  list,
  object,
  oneOf,
  optional,
  text,
} from '../../../kernel/http/schemas.ts';
import { passwordBytes, passwordLength } from '../password-policy.ts';

const instant = (description: string) => instantWith(description, '2026-11-21T09:30:00.000Z');
const secret = 'q7Jd0sLz2mXc9VbN4kTyR8wEu1HgFa5PoQi3ZxCvB6n';
const email = boundedText('E-mail address of the account.', 'ada@example.com', 254);
const password = text('The password, character for character.', 'seven lighthouses hum', {
  'x-max-bytes': passwordBytes,
});
const newPassword = {
  ...password,
  description: `The new password: ${passwordLength.min} to ${passwordLength.max} characters of any kind, not among those that are tried first.`,
};
const staySignedIn = optional(
  flag('Whether the session lasts 30 days, across restarts of the browser, instead of 24 hours.', false),
);
const challenge = boundedText('What the step before gave.', secret, 64);
const link = boundedText('What stands after the `#` of the link.', secret, 64);
const code = boundedText('Six digits from the authenticator app.', '492039', 6);
const recoveryCode = boundedText('One of the recovery codes.', 'mP3xK-9QvLd-2RtYu-B7nHc', 64);
const passkeyResponse = foreign(
  'The credential, as `PublicKeyCredential.toJSON()` of the browser gives it.',
  {
    id: 'dGhlIGNyZWRlbnRpYWw',
    type: 'public-key',
  },
);

const bodies = {
  PasswordSignIn: body('What to sign in with.', { email, password, staySignedIn }),
  SecondFactor: body('Either code.', {
    challenge,
    code: optional(code),
    recoveryCode: optional(recoveryCode),
  }),
  PasskeySignIn: body('What an authenticator has signed.', {
    challenge,
    response: passkeyResponse,
    staySignedIn,
  }),
  ExternalBegin: body('What the account at the provider is for.', {
    purpose: oneOf(
      '`SIGN_IN` signs in, `CONNECT` connects the account with the user who is signed in, `STEP_UP` confirms the identity of that user.',
      'SIGN_IN',
      ['SIGN_IN', 'CONNECT', 'STEP_UP'],
    ),
    staySignedIn,
  }),
  ExternalCallback: body('What the provider has sent the browser back with.', {
    challenge,
    query: boundedText(
      'The query of the page that the provider sent the browser to, without the question mark.',
      'code=ab&state=cd',
      8_000,
    ),
  }),
  LinkRedemption: body('A link.', { link, staySignedIn }),
  PasswordResetRequest: body('Whose password.', { email }),
  PasswordReset: body('A link, and the new password.', { link, password: newPassword }),
  InvitationLink: body('A link.', { link }),
  NewAccount: body('A link, and who accepts it.', {
    link,
    name: boundedText('Name of the person.', 'Grace Hopper', 120),
    password: newPassword,
    staySignedIn,
  }),
  StepUp: body('The strongest proof of who you are that you have set up.', {
    password: optional(password),
    code: optional(code),
    challenge: optional(challenge),
    response: optional(passkeyResponse),
  }),
  NewPassword: body('The new password, and what shows that you may change the present one.', {
    password: newPassword,
    currentPassword: optional(password),
    challenge: optional(challenge),
    response: optional(passkeyResponse),
  }),
  TotpConfirmation: body('A code of the app.', { challenge, code }),
  PasskeyEnrolment: body('What an authenticator has made.', {
    challenge,
    response: passkeyResponse,
    name: boundedText('What you call it.', 'Laptop', 120),
  }),
} as const satisfies Readonly<Record<string, JsonSchema>>;

export type AuthBody = ReturnType<typeof describeBody>;

/** The body of an operation, with its check. */
export function describeBody(schemaName: keyof typeof bodies) {
  const schema: JsonSchema = bodies[schemaName];
  const mediaTypes = ['application/json'];
  return { schemaName, schema, mediaTypes, example: schema.examples?.[0], check: createBodyCheck(schema) };
}

const user = object('Who is signed in.', {
  id: boundedText('Id of the user.', exampleId('user'), 64),
  email,
  name: boundedText('Name for people.', 'Ada Lovelace', 120),
});

const session = object('A session.', {
  id: boundedText('Id of the session.', exampleId('ses'), 64),
  device: text('Browser and system, as the browser names them.', 'Firefox on Linux', { maxLength: 200 }),
  methods: list('What was proven.', {
    type: 'string',
    enum: ['PASSWORD', 'TOTP', 'RECOVERY_CODE', 'PASSKEY', 'EXTERNAL', 'LINK'],
    examples: ['PASSWORD'],
  }),
  multiFactor: flag('Whether that were two factors.', false),
  authenticatedAt: instant('When it was proven last.'),
  lastUsedAt: instant('When the person last did something, as reported by the page.'),
  expiresAt: instant('When the session ends, used or not.'),
  idleSeconds: integer('Seconds after which it ends when it is not used.', 3_600, { minimum: 0 }),
});

const passkey = object('A passkey.', {
  id: boundedText('Id of the passkey.', exampleId('pk'), 64),
  name: boundedText('What its owner calls it.', 'Laptop', 120),
  createdAt: instant('When it was made.'),
  lastUsedAt: { ...orNull(instant('When it was used last.')), examples: [null] },
});

const identity = object('An account at the provider.', {
  id: boundedText('Id of the connection.', exampleId('ext'), 64),
  issuer: boundedText('Issuer of the provider.', 'https://login.example.com', 2_000),
  subject: boundedText('The account there (claim `sub`).', '248289761001', 255),
  createdAt: instant('When it was connected.'),
});

const organization = object('An organization that you may enter.', {
  id: boundedText('Id of the organization.', exampleId('org'), 64),
  key: boundedText('Its key.', 'acme', 63),
  name: boundedText('Its name.', 'Acme', 120),
  role: boundedText('Your role there.', 'EDITOR', 120),
  needsSecondFactor: flag('Whether it asks for two factors, which your session has not shown.', false),
});

const recoveryCodes = list('Codes for who has lost the app, each good once; shown once.', {
  type: 'string',
  examples: ['mP3xK-9QvLd-2RtYu-B7nHc'],
});

const signedIn = object('A sign-in. The cookie of a new session comes with it.', {
  user,
  session,
});

export const responses = {
  SignedIn: signedIn,
  StorageKey: object('A key for AES-256-GCM.', {
    key: boundedText('32 bytes in base64.', 'c2V2ZW4gbGlnaHRob3VzZXMgaHVtIGluIHRoZSBmb2c=', 44),
  }),
  OwnSessions: object('The sessions of a person.', { items: list('The newest first.', session) }),
  SignInResult: object(
    'Where the sign-in is.',
    {
      status: oneOf(
        'Whether the sign-in is complete, or requires a code with `POST /auth/second-factor`.',
        'SECOND_FACTOR_REQUIRED',
        ['SIGNED_IN', 'SECOND_FACTOR_REQUIRED'],
      ),
      user: optional(user),
      session: optional(session),
      challenge: optional(challenge),
    },
    { status: 'SECOND_FACTOR_REQUIRED', challenge: secret },
  ),
  PasskeyQuestion: object('What to ask an authenticator.', {
    challenge,
    options: foreign(
      'For `PublicKeyCredential.parseRequestOptionsFromJSON`, or `parseCreationOptionsFromJSON` of an enrolment.',
      {
        challenge: 'c29tZSBieXRlcw',
      },
    ),
  }),
  ExternalQuestion: object('Where to send the browser. Keep `challenge` in the page until it comes back.', {
    challenge,
    authorizationUrl: boundedText(
      'Address at the provider.',
      'https://login.example.com/auth?client_id=trellis',
      8_000,
    ),
  }),
  SignInMethods: object('What this server offers beside password, passkey and link.', {
    external: orNull(text('Name of the OpenID Connect provider; null when there is none.', 'Acme Login')),
    mail: flag('Whether links can be mailed.', true),
  }),
  OpenInvitation: object('An invitation that can be accepted.', {
    organizationName: boundedText('Name of the organization.', 'Acme', 120),
    email: boundedText('The address that is invited.', 'grace@example.com', 254),
    roleName: boundedText('Name of the role that the member gets.', 'Editor', 120),
    senderName: boundedText('Name of who sent it.', 'Ada Lovelace', 120),
    expiresAt: instant('When the link expires.'),
  }),
  Organizations: object('The organizations of a person.', {
    items: list('By name.', organization),
  }),
  Factors: object('What you can sign in with.', {
    hasPassword: flag('Whether a password is set.', true),
    hasTotp: flag('Whether an authenticator app is set up.', false),
    recoveryCodesLeft: integer('Recovery codes that were not used.', 0, { minimum: 0 }),
    passkeys: list('In the order in which they were made.', passkey),
    external: list('Accounts at the provider.', identity),
  }),
  TotpSecret: object('An authenticator app that is not set up yet.', {
    challenge,
    secret: boundedText('For typing into the app.', 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', 64),
    uri: boundedText(
      'For a QR code.',
      'otpauth://totp/Trellis:ada@example.com?secret=JBSWY3DPEHPK3PXP',
      2_000,
    ),
  }),
  RecoveryCodes: object('Recovery codes.', { recoveryCodes }),
  Passkey: passkey,
} as const satisfies Readonly<Record<string, JsonSchema>>;

export type ResponseName = keyof typeof responses;
