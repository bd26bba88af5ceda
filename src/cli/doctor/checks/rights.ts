import { sql } from 'kysely';
import { type ExaminedDatabase, type Finding, ofDatabase, ok, problem, warning } from '../check.js';

/** What the user of DATABASE_URL may do. */
export const checkRights = ofDatabase('rights', async (database) => {
  const { db, isCurrent } = database;
  const { rows } = await sql<{
    user: string;
    schema: string | null;
    mayCreate: boolean;
    mayCreateRole: boolean;
  }>`
    select current_user::text as user, current_schema()::text as schema,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
      (select rolcreaterole or rolsuper from pg_roles where rolname = current_user) as may_create_role
  `.execute(db);
  const { user, schema, mayCreate, mayCreateRole } = rows[0] as (typeof rows)[0];
  const findings: Finding[] = [];
  if (!mayCreate) {
    findings.push(
      problem(
        `The user ${user} may not create tables in the schema ${schema ?? 'of search_path'}.`,
        `Have an administrator run: grant create on schema ${schema ?? 'public'} to ${user};`,
      ),
    );
  }
  if (isCurrent) findings.push(...(await checkTenantRole(database, user)));
  else if (!mayCreateRole && database.migrations.length === 0) {
    findings.push(
      warning(
        `The user ${user} may not create roles, and the first start needs one.`,
        `Have an administrator run: alter role ${user} createrole; or run what the first start prints.`,
      ),
    );
  }
  return findings.length > 0 ? findings : ok(`The user ${user} has all rights that the server needs.`);
});

/** The role under which requests see one tenant alone. */
async function checkTenantRole({ db }: ExaminedDatabase, user: string): Promise<Finding[]> {
  const { rows } = await sql<{
    role: string;
    isThere: boolean;
    bypasses: boolean;
    foreignTables: string | null;
  }>`
    select tenant_role() as role, exists (select from pg_roles where rolname = tenant_role()) as is_there,
      exists (select from pg_roles where rolname = tenant_role() and (rolsuper or rolbypassrls)) as bypasses,
      (select string_agg(relname, ', ' order by relname) from pg_class
       where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname in ('documents', 'chunks', 'conversations')
         and not pg_has_role(relowner, 'usage')) as foreign_tables
  `.execute(db);
  const { role, isThere, bypasses, foreignTables } = rows[0] as (typeof rows)[0];
  const findings: Finding[] = [];
  if (!isThere || !(await mayTake(db, role))) {
    const advice = isThere
      ? `Have an administrator run: grant ${role} to ${user};`
      : `Dumps of PostgreSQL have no roles: make it (create role ${role} nologin; grant ${role} to ${user};), then restore the dump again.`;
    findings.push(problem(`The user ${user} cannot take the role ${role}, which every write does.`, advice));
  }
  if (bypasses) {
    findings.push(
      problem(
        `The role ${role} may bypass row-level security.`,
        `Have an administrator run: alter role ${role} nosuperuser nobypassrls;`,
      ),
    );
  }
  if (foreignTables) {
    findings.push(
      problem(
        `The user ${user} does not own the tables ${foreignTables}.`,
        `Have an administrator run: reassign owned by their owner to ${user};`,
      ),
    );
  }
  return findings;
}

const mayTake = (db: ExaminedDatabase['db'], role: string): Promise<boolean> =>
  db
    .transaction()
    .execute((tx) => sql`set local role ${sql.id(role)}`.execute(tx))
    .then(
      () => true,
      () => false,
    );
