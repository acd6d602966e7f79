/** Webhook signatures, verified with a library of Standard Webhooks and with the example of the specification. */
import assert from 'node:assert/strict';
import { createHmac, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { makeSecret, signatureHeaders } from '@trellis/server/features/webhooks/signatures.ts';
import { verifyWebhook } from '../support/verify-webhook.ts';

// Receivers refuse old timestamps.
const nowSeconds = Math.floor(Date.now() / 1_000);
const message = { id: 'evt_01h455vb4pex5vsknk084sn02q', timestampSeconds: nowSeconds, body: '{"ü":1}' };

test('a call is signed as the library of the specification signs it', () => {
  const headers = signatureHeaders(
    {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestampSeconds: 1_614_265_330,
      body: '{"test": 2432232314}',
    },
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  );
  assert.deepEqual(headers, {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('each secret verifies a call by itself, and no other one does', () => {
  const secrets = [makeSecret(), makeSecret()];
  const headers = signatureHeaders(message, secrets);
  for (const secret of secrets) assert.equal(verifyWebhook(headers, message.body, secret), true);
  assert.equal(verifyWebhook(headers, message.body, makeSecret()), false);
  assert.equal(headers['webhook-signature']?.split(' ').length, 2);
});

test('a signature is invalid for another body, id or timestamp', () => {
  const secret = makeSecret();
  const headers = signatureHeaders(message, [secret]);
  assert.equal(verifyWebhook(headers, '{"ü":2}', secret), false);
  assert.equal(verifyWebhook({ ...headers, 'webhook-id': 'evt_other' }, message.body, secret), false);
  assert.equal(
    verifyWebhook({ ...headers, 'webhook-timestamp': String(nowSeconds + 1) }, message.body, secret),
    false,
  );
});

test('an old call with a valid signature is refused', () => {
  const secret = makeSecret();
  const old = signatureHeaders({ ...message, timestampSeconds: nowSeconds - 600 }, [secret]);
  assert.equal(verifyWebhook(old, message.body, secret), false);
});

test('a secret has the form of the specification and 24 to 64 random bytes', () => {
  const secrets = Array.from({ length: 100 }, makeSecret);
  for (const secret of secrets) {
    assert.match(secret, /^whsec_[A-Za-z0-9+/]+={0,2}$/);
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64').length;
    assert.ok(bytes >= 24 && bytes <= 64);
  }
  assert.equal(new Set(secrets).size, secrets.length);
});

test('the verification of these tests detects an invalid signature', () => {
  const secret = makeSecret();
  const headers = signatureHeaders(message, [secret]);
  const wrong = createHmac('sha256', randomBytes(32)).update('x').digest('base64');
  assert.equal(
    verifyWebhook({ ...headers, 'webhook-signature': `v1,${wrong}` }, message.body, secret),
    false,
  );
  assert.equal(verifyWebhook({ ...headers, 'webhook-signature': '' }, message.body, secret), false);
});
