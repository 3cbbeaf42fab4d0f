type Server = Record<'host' | 'user' | 'password' | 'database', string> & { port: number };

/** The environment variables that select a database server. */
export const variablesOf = (
  kind: 'postgres' | 'mongodb',
  { host, port, user, password, database }: Server,
): Record<string, string> => ({
  KAPTAIN_DB: kind,
  KAPTAIN_DB_HOST: host,
  KAPTAIN_DB_PORT: String(port),
  KAPTAIN_DB_USER: user,
  KAPTAIN_DB_PASS: password,
  KAPTAIN_DB_NAME: database,
});
