/** End-to-end tests that do not run on a cluster, because what they test is another database. */
export const notOnACluster: { files: string; why: string }[] = [
  { files: 'test/e2e/demo.test.ts', why: '`lectern demo` always starts an embedded database.' },
  { files: 'test/e2e/failover.test.ts', why: 'A standby of one server takes over, by replication of all of it.' },
  { files: 'test/e2e/guide/*.test.ts', why: 'Pages of the guide begin with an embedded database.' },
  { files: 'test/e2e/log-output.test.ts', why: 'What an embedded database prints must not get between the lines.' },
  { files: 'test/e2e/open-files.test.ts', why: 'It counts files of this process, beside an embedded database.' },
  { files: 'test/e2e/server.test.ts', why: 'A server as `npm start` runs it, with an embedded database.' },
  { files: 'test/e2e/shutdown.test.ts', why: 'The folder of an embedded database is free when the server has ended.' },
];
