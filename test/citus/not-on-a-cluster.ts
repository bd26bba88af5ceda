/** What `npm run test:citus` leaves out: whole files, or the named tests of one, which skip themselves where there is CITUS_URL. */
export const notOnACluster: { files: string; tests?: string; why: string }[] = [
  { files: 'test/e2e/demo.test.ts', why: '`lectern demo` always starts an embedded database.' },
  { files: 'test/e2e/failover.test.ts', why: 'The standby of one server takes over.' },
  { files: 'test/e2e/guide/*.test.ts', why: 'The pages of the guide begin with an embedded database.' },
  { files: 'test/e2e/log-output.test.ts', why: 'An embedded database must not print between the lines.' },
  {
    files: 'test/e2e/open-files.test.ts',
    why: 'It counts the files of a process with an embedded database.',
  },
  { files: 'test/e2e/server.test.ts', why: 'It starts the server as `npm start` does.' },
  { files: 'test/e2e/shutdown.test.ts', why: 'The folder of an embedded database must be free at the end.' },
  {
    files: 'test/integration/ingestion.test.ts',
    tests: 'progress',
    why: 'A trigger on documents records their states.',
  },
  {
    files: 'test/integration/tenant-isolation.test.ts',
    tests: 'would show and change what is theirs without tenant isolation',
    why: 'A cluster refuses to read a document without its tenant.',
  },
];
