/** A test server: PostgresServer or MariadbServer. */
interface Server {
  config: { host: string; port: number; user: string; password: string; database: string };
}

const blockOf = (prefix: string, { config: { host, port, user, password, database } }: Server) => ({
  [`${prefix}_SERVER`]: host,
  [`${prefix}_PORT`]: port,
  [`${prefix}_USER`]: user,
  [`${prefix}_PASSWORD`]: password,
  [`${prefix}_DATABASE`]: database,
});

/** The block of the settings that makes the test server a data source. */
export const postgresqlBlock = (server: Server) => blockOf('POSTGRE', server);

/** With the default size of the pool. */
export const mysqlBlock = (server: Server) => ({ MYSQL_POOL: 0, ...blockOf('MYSQL', server) });
