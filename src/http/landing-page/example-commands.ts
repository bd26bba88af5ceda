/** Example curl commands, from creating a document to a search. The JSON contains no single quotes. */
export function exampleCommands(origin: string, needsKey: boolean): { what: string; command: string }[] {
  const key = needsKey ? ['-H "x-api-key: $LECTERN_KEY"'] : [];
  const documents = `${origin}/admin/api/v1/documents?tenantId=acme`;
  const document = {
    tenantId: 'acme',
    tenantUnitId: 'support',
    documentType: 'UnstructuredFile',
    documentName: 'Returns',
    documentContent: 'Goods can be sent back within 30 days. We pay the postage.',
  };
  const search = {
    tenant_id: 'acme',
    tenant_unit_id: 'support',
    dataset_ids: ['handbook'],
    query: 'Who pays for sending it back?',
  };
  const curl = (url: string, ...options: string[]) =>
    [`curl -s '${url}'`, ...key, ...options].join(' \\\n  ');
  const send = (body: object) => [
    "-H 'content-type: application/json'",
    `-d '${JSON.stringify(body, null, 2)}'`,
  ];
  return [
    {
      what: 'Register a document, and wait until it can be found:',
      command: curl(
        `${documents}&datasetIds=${encodeURIComponent('["handbook"]')}`,
        "-H 'prefer: wait=10'",
        ...send(document),
      ),
    },
    { what: 'See it among the others:', command: curl(documents) },
    {
      what: 'Ask:',
      command: curl(`${origin}/admin/api/v1/api/v1/documentChunks/search?tenantId=acme`, ...send(search)),
    },
  ];
}
