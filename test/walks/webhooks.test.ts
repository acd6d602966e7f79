/** Walks of those who connect programs. */
import assert from 'node:assert/strict';
import { respondWith, startReceiver } from '../support/receiver.ts';
import { defineWalks } from '../support/walks.ts';

const walk = defineWalks({ TRELLIS_WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8' });

walk(
  'add a webhook, read why its delivery failed, and send it again',
  { bounds: { requests: 40, bytes: 30_000 } },
  async ({ page, call, untilStored }) => {
    const receiver = await startReceiver(respondWith(500, 'The disk is full.'));
    try {
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('link', { name: 'Webhook endpoints' }).click();
      await page.getByRole('button', { name: 'New endpoint' }).click();
      await page.getByLabel('URL').fill(receiver.url);
      await page.getByRole('combobox', { name: 'Events' }).fill('company.created');
      await page.getByRole('option', { name: 'Company created' }).click();
      await page.getByLabel('URL').focus();
      await page.getByRole('button', { name: 'Create endpoint' }).click();
      await page.getByRole('button', { name: 'I have saved it' }).click();
      await page.getByRole('heading', { name: receiver.url }).waitFor();
      await page.getByRole('link', { name: 'Companies' }).click();
      await page.getByRole('button', { name: 'New company' }).first().click();
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbour Books');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('heading', { name: 'Harbour Books' }).first().waitFor();
      await receiver.received(1);
      await page.getByRole('link', { name: 'Settings' }).click();
      await page.getByRole('link', { name: 'Webhook endpoints' }).click();
      await page.getByText('The last delivery failed').waitFor();
      await page.getByRole('link', { name: receiver.url }).click();
      const deliveries = page.getByRole('region', { name: 'Deliveries' });
      await deliveries.getByRole('button', { name: 'Company created' }).click();
      await deliveries.getByRole('link', { name: 'Harbour Books' }).waitFor();
      await deliveries.getByText('The disk is full.').first().waitFor();
      await deliveries.getByText(/500/).first().waitFor();
      receiver.respond(respondWith(204));
      await deliveries.getByRole('button', { name: 'Send again' }).click();
      await deliveries.getByRole('listitem').getByText('Succeeded').first().waitFor();
      const [, call2] = await receiver.received(2);
      assert.equal(JSON.parse(call2?.body ?? '').type, 'company.created');
      const [endpoint] = (await call('GET', '/v1/webhook-endpoints')).items;
      await untilStored('the delivery', `/v1/webhook-endpoints/${endpoint.id}/deliveries`, ({ items }) => {
        assert.equal(items.length, 1);
        return items[0].status === 'SUCCEEDED' && items[0].attempts.length >= 2;
      });
    } finally {
      await receiver.close();
    }
  },
);
