/** The documentation page /docs/visitors, which identifies the reader's own browser and shows the results. */

import type { Page } from '../../../kernel/contract/documentation/page.ts';
import { visitorLimits } from '../limits.ts';

/** The text above the demonstration. */
export const visitorsPage: Page = {
  title: 'Visitors',
  blocks: [
    {
      kind: 'paragraph',
      text: 'A page sends an identify call and gets the id of its visitor, with the probability that it is correct. Your server looks the id up with `GET /v1/visitors/{visitorId}`.',
    },
    { kind: 'heading', text: 'Add the script to your pages' },
    {
      kind: 'paragraph',
      text: 'Create a publishable key for your site with `trellis client create "Website" --organization KEY --kind BROWSER --site KEY --origin https://www.example.com`. It is public, and works on these origins only. Then add the script, with the address of this server:',
    },
    {
      kind: 'example',
      language: 'html',
      text: `<script src="https://trellis.example.com/agent.js" data-key="trl_pk_…"></script>
<script>
  Trellis.identify({ consent: 'GRANTED' }).then(({ visitorId, confidence, error }) => {
    if (error === null) console.log(visitorId, confidence.score);
  });
</script>`,
    },
    {
      kind: 'paragraph',
      text: 'Send `DENIED` if your visitor has refused, and `UNKNOWN` if you have not asked. With `DENIED` or Global Privacy Control visitors are not recognized: the id is a new one, which is deleted after 24 hours, and nothing is stored in the browser.',
    },
    { kind: 'heading', text: 'Retention' },
    {
      kind: 'table',
      caption: 'Data of a visitor and how long they are kept',
      columns: ['Data', 'Kept for'],
      rows: [
        [
          'Id, times of the first and the last visit, a keyed hash of the signals',
          `${visitorLimits.visitorDays} days after the last visit`,
        ],
        ['Each identification: score, browser, kind of device', `${visitorLimits.identificationDays} days`],
        [
          'All of the above without the hash, for visitors who refuse to be recognized',
          `${visitorLimits.transientHours} hours`,
        ],
        ['IP address, signals, pages', 'never'],
      ],
    },
    {
      kind: 'paragraph',
      text: 'Erase a visitor with `DELETE /v1/visitors/{visitorId}`. All operations are in the [reference](/docs).',
    },
  ],
};

/** The demonstration: the agent is loaded as on any other page. */
export const demonstration = `<h2 id="try-it">Try it</h2>
<p><label for="key">Publishable key</label><br><input id="key" type="text" size="48" autocomplete="off" spellcheck="false"></p>
<p><label for="consent">Consent</label><br><select id="consent"><option>GRANTED</option><option>UNKNOWN</option><option>DENIED</option></select></p>
<p><button id="identify" type="button">Identify this browser</button> <button id="forget" type="button">Forget the stored token</button></p>
<p id="status" role="status"></p>
<pre tabindex="0"><code id="response"></code></pre>
<script src="/agent.js"></script>
<script src="/docs/assets/visitors.js"></script>`;

/** The page's own script. The key may come in the address: \`/docs/visitors?key=trl_pk_…\`. */
export const demonstrationScript = `(() => {
  const element = (id) => document.getElementById(id);
  const [key, consent, status, response] = ['key', 'consent', 'status', 'response'].map(element);
  key.value = new URLSearchParams(location.search).get('key') || '';

  async function identify() {
    status.textContent = 'Asking …';
    const found = await Trellis.identify({ key: key.value.trim(), consent: consent.value });
    response.textContent = JSON.stringify(found, null, 2);
    status.textContent = found.error ? found.error.message : 'You are ' + found.visitorId + '.';
  }

  function forget() {
    localStorage.removeItem('trellis_visitor');
    document.cookie = 'trellis_visitor=; Max-Age=0; Path=/';
    status.textContent = 'The stored token was removed. The next call can recognize you by signals only.';
  }

  element('identify').addEventListener('click', identify);
  element('forget').addEventListener('click', forget);
  if (key.value) identify();
  else status.textContent = 'Enter a publishable key for the origin ' + location.origin + '.';
})();
`;
