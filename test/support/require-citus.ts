/** Refuses to run the tests on one server where a cluster was meant. */
export default function requireCitus(): void {
  const { CITUS_URL } = process.env;
  if (!CITUS_URL) {
    throw new Error(
      'Set CITUS_URL to a database of the coordinator of a cluster (PostgreSQL with Citus), as a superuser: its nodes are found there.',
    );
  }
  process.env.TEST_DATABASE_URL = CITUS_URL;
}
