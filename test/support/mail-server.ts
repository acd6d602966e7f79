/** An SMTP server that keeps what it receives; it knows no mailbox whose name begins with "refused". */
import { once } from 'node:events';
import { SMTPServer } from 'smtp-server';
import { until } from './until.ts';

/** A message as it was received. */
interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it was sent, decoded from quoted-printable. */
  readonly text: string;
}

export interface MailServer {
  /** Settings of a server that sends its mail here. */
  readonly settings: { readonly smtpUrl: string; readonly from: string };
  /** What has come, the oldest first. */
  readonly received: ReceivedMail[];
  /** Refuses mail while a function runs, which gets the number of messages that were refused since. */
  refuseDuring(work: (refused: () => number) => Promise<void>): Promise<void>;
  /** The secret of the link in the last mail to an address, once there is one. */
  lastLink(email: string): Promise<string>;
  close(): Promise<void>;
}

/** @param login the user and the password that are asked for; null: none */
export async function startMailServer(
  login: { readonly user: string; readonly password: string } | null = null,
): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let isRefusing = false;
  let refused = 0;
  const smtp = new SMTPServer({
    authOptional: login === null,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      login !== null && username === login.user && password === login.password
        ? done(null, { user: login.user })
        : done(new Error('The user or the password is wrong.')),
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('refused')) done(new Error(`There is no mailbox ${address} here.`));
      else done();
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (isRefusing) {
          refused += 1;
          done(new Error('No mail is taken now.'));
          return;
        }
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString().replaceAll('=\r\n', '').replaceAll('=3D', '='),
        });
        done();
      });
    },
  });
  const listening = smtp.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const address = listening.address();
  if (address === null || typeof address === 'string') throw new Error('no port is listened on');
  const credentials = login === null ? '' : `${login.user}:${encodeURIComponent(login.password)}@`;
  return {
    settings: {
      smtpUrl: `smtp://${credentials}127.0.0.1:${address.port}`,
      from: 'Trellis <noreply@example.com>',
    },
    received,
    async refuseDuring(work) {
      const before = refused;
      isRefusing = true;
      try {
        await work(() => refused - before);
      } finally {
        isRefusing = false;
      }
    },
    async lastLink(email) {
      const mail = await until('the mail has come', async () =>
        received.findLast(({ to }) => to.includes(email)),
      );
      return /#([0-9A-Za-z]{43})/.exec(mail.text)?.[1] ?? '';
    },
    close: () => new Promise((resolve) => smtp.close(() => resolve())),
  };
}
