import { type Load, loadOf, parseCsv, type Row, unquoted, valueIn } from './qlik-values.ts';

/** A REST connection of the platform; a script sets only its URL and body. */
export interface RestConnection {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
}

/** The state of an app after a reload, and the files beside it; the next reload starts with its variables. */
export interface QlikApp {
  id: string;
  variables: Map<string, string>;
  tables: Map<string, Row[]>;
  files: Map<string, Row[]>;
}
/** Apps of one space have the same files. */
export const newQlikApp = (id = 'app', files: QlikApp['files'] = new Map()): QlikApp => ({
  id,
  variables: new Map(),
  tables: new Map(),
  files,
});

interface Options {
  connections: Record<string, RestConnection>;
  /** Called before a connection is opened. */
  onConnect?: (name: string) => Promise<void>;
  /** Changes the text of an answer on its way. */
  transfer?: (text: string) => string | Promise<string>;
}

/** The statements of a script: up to a semicolon at the end of a line, or the line of an IF or a SUB. */
function statementsOf(script: string): string[] {
  const statements: string[] = [];
  let open: string[] = [];
  for (const line of script.split('\n').filter((text) => text.trim() !== '' && !text.startsWith('//'))) {
    open.push(line);
    if (!/;$|^IF .* THEN$|^END IF$|^(?:END )?SUB\b/.test(line)) continue;
    statements.push(open.join('\n').replace(/;$/, ''));
    open = [];
  }
  return statements;
}

/** Runs the statements that our load scripts use, with their requests to a real service. */
export async function runQlikScript(script: string, app: QlikApp, options: Options): Promise<void> {
  const reload = new Reload(app, options);
  app.tables.clear();
  for (const statement of statementsOf(script)) await reload.execute(statement);
}

const nameOf = (quoted: string) => quoted.replaceAll(']]', ']');
const ANY_COLUMNS = '\n((?: {4}[^\n]*,?\n)*? {4}[^\n]*)';
const RESIDENT = new RegExp(
  `^\\[(.*)\\]:\nREPLACE LOAD${ANY_COLUMNS}\nRESIDENT \\[(.*)\\]\nWHERE Len\\(\\[(.*)\\]\\) = 0$`,
);
const KEPT = new RegExp(
  `^ADD CONCATENATE \\(\\[(.*)\\]\\) LOAD${ANY_COLUMNS}\nFROM \\[(.*)\\] \\(qvd\\)\nWHERE NOT Exists\\(\\[(.*)\\], \\[(.*)\\]\\)$`,
);
const PRECEDING = new RegExp(`^\\[(.*)\\]:\nREPLACE LOAD${ANY_COLUMNS}$`);

class Reload {
  readonly #app: QlikApp;
  readonly #options: Options;
  #connection: RestConnection | undefined;
  /** The LOAD before a SELECT. */
  #preceding: { table: string; load: Load } | undefined;
  #errors = 0;
  #isSkipping = false;
  readonly #routines = new Map<string, string[]>();
  /** The statements of the SUB that is being read. */
  #routine: string[] | undefined;

  constructor(app: QlikApp, options: Options) {
    this.#app = app;
    this.#options = options;
  }

  async execute(statement: string): Promise<void> {
    const [, name, called = ''] = /^(?:SUB (\w+)|CALL (\w+)|END SUB)$/.exec(statement) ?? [];
    if (name) this.#routines.set(name, (this.#routine = []));
    else if (statement === 'END SUB') this.#routine = undefined;
    else if (this.#routine) this.#routine.push(statement);
    else if (!called) await this.#executeOne(statement);
    else if (!this.#isSkipping)
      for (const step of this.#routines.get(called) ?? []) await this.#executeOne(step);
  }

  async #executeOne(statement: string): Promise<void> {
    if (statement === 'END IF') this.#isSkipping = false;
    if (this.#isSkipping || statement === 'END IF') return;
    const { variables } = this.#app;
    const expanded = statement.replace(/\$\((\w+)\)/g, (_, name: string) => variables.get(name) ?? '');
    try {
      await this.#run(expanded);
    } catch (error) {
      // With ErrorMode 0 the script continues after a failure; otherwise it ends.
      if (variables.get('ErrorMode') !== '0') throw error;
      this.#errors += 1;
    }
  }

  async #run(statement: string): Promise<void> {
    const { variables, tables, files } = this.#app;
    const [, variable, expression = ''] = /^(?:LET|SET) (\w+) = (.*)$/.exec(statement) ?? [];
    const [, connect] = /^LIB CONNECT TO '(.*)'$/.exec(statement) ?? [];
    const [, condition] = /^IF (.*) THEN$/.exec(statement) ?? [];
    const [, stored, target = ''] = /^STORE \[(.*)\] INTO \[(.*)\] \(qvd\)$/.exec(statement) ?? [];
    const [, dropped] = /^DROP TABLE \[(.*)\]$/.exec(statement) ?? [];
    if (variable) variables.set(variable, this.#valueOf(expression));
    else if (connect) await this.#connect(connect);
    else if (condition) this.#isSkipping = !condition.split(' AND ').every((part) => this.#holds(part));
    else if (stored)
      files.set(
        target,
        this.#table(nameOf(stored)).map((row) => ({ ...row })),
      );
    else if (dropped) tables.delete(nameOf(dropped));
    else if (statement.startsWith('SQL SELECT')) await this.#select(statement);
    else this.#load(statement);
  }

  async #connect(name: string): Promise<void> {
    await this.#options.onConnect?.(name);
    this.#connection = this.#options.connections[name];
    if (!this.#connection) throw new Error(`There is no connection ${name}.`);
  }

  #table(name: string): Row[] {
    const rows = this.#app.tables.get(name);
    if (!rows) throw new Error(`Table '${name}' not found`);
    return rows;
  }

  #valueOf(expression: string): string {
    const [, column, table] = /^Peek\('(.*)', -1, '(.*)'\)$/.exec(expression) ?? [];
    if (column && table)
      return this.#app.tables.get(table.replaceAll("''", "'"))?.at(-1)?.[column.replaceAll("''", "'")] ?? '';
    const [, tested, empty = '', otherwise = ''] =
      /^If\(Len\('(.*)'\) = 0, '(.*)', '(.*)'\)$/.exec(expression) ?? [];
    if (tested !== undefined) return tested === '' ? empty : otherwise;
    if (expression === 'ScriptErrorCount') return String(this.#errors);
    if (/^\d+$/.test(expression)) return expression;
    const parts = expression.split(' & ').map((part) => {
      if (part === 'DocumentName()') return this.#app.id;
      if (!/^'.*'$/.test(part)) throw new Error(`This expression is not known: ${expression}`);
      return unquoted(part, "'");
    });
    return parts.join('');
  }

  #holds(condition: string): boolean {
    const [, text] = /^Len\('(.*)'\) > 0$/.exec(condition) ?? [];
    const [, file] = /^FileSize\('(.*)'\) > 0$/.exec(condition) ?? [];
    const [, one, sign, other] = /^'(.*)' (<>|=) '(.*)'$/.exec(condition) ?? [];
    const [, counted] = /^NoOfRows\('(.*)'\) >= 0$/.exec(condition) ?? [];
    const [, errors] = /^ScriptErrorCount = (\d+)$/.exec(condition) ?? [];
    if (text !== undefined) return text !== '';
    if (file !== undefined) return this.#app.files.has(file);
    if (one !== undefined) return (one === other) === (sign === '=');
    if (counted !== undefined) return this.#app.tables.has(counted);
    if (errors !== undefined) return this.#errors === Number(errors);
    throw new Error(`This condition is not known: ${condition}`);
  }

  #load(statement: string): void {
    const { tables, files } = this.#app;
    const [, living, ofLiving = '', source = '', deleted = ''] = RESIDENT.exec(statement) ?? [];
    const [, more, ofMore = '', file = '', changed = '', key = ''] = KEPT.exec(statement) ?? [];
    const [, table, columns = ''] = PRECEDING.exec(statement) ?? [];
    if (living) {
      const rows = this.#table(nameOf(source)).filter((row) => row[nameOf(deleted)] === '');
      tables.set(nameOf(living), loadOf(ofLiving)(rows));
    } else if (more) {
      const values = [...tables.values()].flatMap((rows) => rows.map((row) => row[nameOf(changed)]));
      const known = new Set(values.filter((value) => value !== undefined));
      const kept = files.get(file)?.filter((row) => !known.has(row[nameOf(key)] ?? ''));
      if (!kept) throw new Error(`Cannot open file: '${file}'`);
      this.#table(nameOf(more)).push(...loadOf(ofMore)(kept));
    } else if (table) this.#preceding = { table: nameOf(table), load: loadOf(columns) };
    else throw new Error(`This statement is not known: ${statement}`);
  }

  async #select(statement: string): Promise<void> {
    const { transfer = (text: string) => text } = this.#options;
    if (!this.#connection || !this.#preceding) throw new Error('There is no connection, or no LOAD.');
    const [, columns = '', format] = /^SQL SELECT\n([^]*)\nFROM (CSV|JSON) /.exec(statement) ?? [];
    const [, url = ''] = /^ {4}URL "(.*?)",?$/m.exec(statement) ?? [];
    const [, body] = /^ {4}BODY (".*")$/m.exec(statement) ?? [];
    const { method, headers } = this.#connection;
    const answer = await fetch(url, { method, headers, ...(body && { body: unquoted(body, '"') }) });
    const text = await transfer(await answer.text());
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
    const rows = format === 'CSV' ? parseCsv(text) : [JSON.parse(text) as Row];
    const names = columns.split(',\n').map((name) => unquoted(name.trim(), '"'));
    const selected = rows.map((row) => Object.fromEntries(names.map((name) => [name, valueIn(row, name)])));
    this.#app.tables.set(this.#preceding.table, this.#preceding.load(selected));
  }
}
