/** The configuration of orval: its client for `fetch`, with the address of the document. */
export default {
  api: {
    input: './openapi.json',
    output: {
      target: './generated/orval.ts',
      client: 'fetch',
      mode: 'single',
      baseUrl: { getBaseUrlFromSpecification: true },
    },
  },
};
