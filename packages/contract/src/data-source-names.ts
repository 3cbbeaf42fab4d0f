/** The databases of customers by their type, with their names in sentences. */
export const dataSourceNames = {
  mssql: 'SQL Server',
  oracle: 'Oracle',
  mysql: 'MySQL',
  postgresql: 'PostgreSQL',
  snowflake: 'Snowflake',
} as const;

export type DataSourceType = keyof typeof dataSourceNames;

export const dataSourceTypes = Object.keys(dataSourceNames) as DataSourceType[];
