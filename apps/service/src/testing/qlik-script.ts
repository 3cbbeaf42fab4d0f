/** A REST connection of the platform; a script sets only its URL and body. */
export interface RestConnection {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
}

type Row = Record<string, string>;

/** The state of an app after a reload; the next one starts with its variables. */
export interface QlikApp {
  variables: Map<string, string>;
  tables: Map<string, Row[]>;
}
export const newQlikApp = (): QlikApp => ({ variables: new Map(), tables: new Map() });

interface Options {
  connections: Record<string, RestConnection>;
  /** Called before a connection is opened. */
  onConnect?: (name: string) => Promise<void>;
  /** Changes the text of an answer on its way. */
  transfer?: (text: string) => string;
}

const unquoted = (text: string, quote: string) => text.slice(1, -1).replaceAll(quote + quote, quote);

/** RFC 4180. */
function parseCsv(text: string): Row[] {
  const lines = [...text.matchAll(/(?:(?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,|(?=\r\n)))+\r\n/g)].map(([line]) =>
    [...line.slice(0, -2).matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, cell = '']) =>
      cell.startsWith('"') ? unquoted(cell, '"') : cell,
    ),
  );
  const [names = [], ...rows] = lines;
  return rows.map((row) => Object.fromEntries(names.map((name, place) => [name, row[place] ?? ''])));
}

/** The statements of a script: up to a semicolon at the end of a line, or the line of an IF. */
function statementsOf(script: string): string[] {
  const statements: string[] = [];
  let open: string[] = [];
  for (const line of script.split('\n').filter((text) => text.trim() !== '' && !text.startsWith('//'))) {
    open.push(line);
    if (!/;$|^IF .* THEN$|^END IF$/.test(line)) continue;
    statements.push(open.join('\n').replace(/;$/, ''));
    open = [];
  }
  return statements;
}

/** Runs the statements that our load scripts use, with their requests to a real service. */
export async function runQlikScript(script: string, app: QlikApp, options: Options): Promise<void> {
  const { variables, tables } = app;
  const { connections, onConnect, transfer = (text: string) => text } = options;
  let connection: RestConnection | undefined;
  let table = '';
  let [errors, isSkipping] = [0, false];
  tables.clear();

  const valueOf = (expression: string): string => {
    const [, column, place, name] = /^Peek\('(.*)', (-1), '(.*)'\)$/.exec(expression) ?? [];
    if (column && place && name)
      return tables.get(name.replaceAll("''", "'"))?.at(Number(place))?.[column] ?? '';
    const [, tested, empty = '', otherwise = ''] =
      /^If\(Len\('(.*)'\) = 0, '(.*)', '(.*)'\)$/.exec(expression) ?? [];
    if (tested !== undefined) return tested === '' ? empty : otherwise;
    if (!/^'.*'$/.test(expression)) throw new Error(`This expression is not known: ${expression}`);
    return unquoted(expression, "'");
  };
  const select = async (statement: string): Promise<Row[]> => {
    if (!connection) throw new Error('There is no connection.');
    const [, columns = '', format] = /^SQL SELECT\n([^]*)\nFROM (CSV|JSON) /.exec(statement) ?? [];
    const [, url = ''] = /^ {4}URL "(.*?)",?$/m.exec(statement) ?? [];
    const [, body] = /^ {4}BODY (".*")$/m.exec(statement) ?? [];
    const { method, headers } = connection;
    const answer = await fetch(url, { method, headers, ...(body && { body: unquoted(body, '"') }) });
    const text = transfer(await answer.text());
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
    const rows = format === 'CSV' ? parseCsv(text) : [JSON.parse(text) as Row];
    const names = columns.split(',\n').map((name) => unquoted(name.trim(), '"'));
    return rows.map((row) =>
      Object.fromEntries(
        names.map((name) => {
          if (!Object.hasOwn(row, name)) throw new Error(`Field '${name}' not found`);
          return [name, row[name] ?? ''];
        }),
      ),
    );
  };
  const run = async (statement: string): Promise<void> => {
    const [, label] = /^\[(.*)\]:\nREPLACE LOAD\n/.exec(statement) ?? [];
    const [, variable, expression = ''] = /^(?:LET|SET) (\w+) = (.*)$/.exec(statement) ?? [];
    const [, connect] = /^LIB CONNECT TO '(.*)'$/.exec(statement) ?? [];
    const [, watermark] = /^IF Len\('(.*)'\) > 0 AND ScriptErrorCount = 0 THEN$/.exec(statement) ?? [];
    const [, field, from = ''] = /^DROP FIELD \[(.*)\] FROM \[(.*)\]$/.exec(statement) ?? [];
    if (label) table = label.replaceAll(']]', ']');
    else if (variable) variables.set(variable, valueOf(expression));
    else if (connect) {
      await onConnect?.(connect);
      connection = connections[connect];
      if (!connection) throw new Error(`There is no connection ${connect}.`);
    } else if (watermark !== undefined) isSkipping = watermark === '' || errors > 0;
    else if (field) for (const row of tables.get(from.replaceAll(']]', ']')) ?? []) delete row[field];
    else if (statement.startsWith('DROP TABLE')) tables.delete('KaptainConfirmed');
    else if (statement.startsWith('SQL SELECT')) tables.set(table, await select(statement));
    else if (statement !== 'END IF') throw new Error(`This statement is not known: ${statement}`);
  };

  for (const statement of statementsOf(script)) {
    if (statement === 'END IF') isSkipping = false;
    if (isSkipping) continue;
    const expanded = statement.replace(/\$\((\w+)\)/g, (_, name: string) => variables.get(name) ?? '');
    try {
      await run(expanded);
    } catch (error) {
      // With ErrorMode 0 the script continues after a failure; otherwise it ends.
      if (variables.get('ErrorMode') !== '0') throw error;
      errors += 1;
    }
  }
}
