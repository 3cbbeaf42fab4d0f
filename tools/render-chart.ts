import { createHash } from 'node:crypto';
import { stringify } from 'yaml';

type Scope = Record<string, unknown>;

/** The templates use texts, numbers and switches; `toYaml` and `toJson` alone take a block. */
type Plain = string | number | boolean | undefined;

const valueOf = (scope: Scope, path: string): unknown =>
  path
    .split('.')
    .slice(1)
    .reduce<unknown>((block, key) => (block as Scope | undefined)?.[key], scope);

/** As Helm has it: an empty block is none. */
const isGiven = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);

/** A condition of the chart's templates: a value, `or VALUE VALUE`, or `gt (int VALUE) NUMBER`. */
function holds(scope: Scope, condition: string): boolean {
  const [, path = '', number = ''] = /^gt \(int (\S+)\) (\d+)$/.exec(condition) ?? [];
  if (path !== '') return Number(valueOf(scope, path)) > Number(number);
  return condition
    .replace(/^or /, '')
    .split(' ')
    .some((each) => isGiven(valueOf(scope, each)));
}

function expression(scope: Scope, text: string): string {
  const [, message = '', wanted = ''] = /^\$_ := required "([^"]+)" (\S+)$/.exec(text) ?? [];
  if (wanted !== '') {
    if (!valueOf(scope, wanted)) throw new Error(message);
    return '';
  }
  const [, block = '', spaces = ''] = /^toYaml (\S+) \| nindent (\d+)$/.exec(text) ?? [];
  if (block !== '')
    return `\n${stringify(valueOf(scope, block)).trimEnd()}`.replaceAll(
      '\n',
      `\n${' '.repeat(Number(spaces))}`,
    );
  const [, json = '', use = ''] = /^(\S+) \| toJson \| (quote|sha256sum)$/.exec(text) ?? [];
  if (json !== '') {
    const printed = JSON.stringify(valueOf(scope, json));
    return use === 'quote' ? JSON.stringify(printed) : createHash('sha256').update(printed).digest('hex');
  }
  const [, path = '', filter = ''] = /^(\.\S+)(?: \| (.+))?$/.exec(text) ?? [];
  const value = valueOf(scope, path) as Plain;
  if (path === '' || value === undefined) throw new Error(`Not understood: {{ ${text} }}`);
  if (filter === '') return String(value);
  if (filter === 'quote') return JSON.stringify(String(value));
  if (filter.startsWith('default '))
    return String(value || (valueOf(scope, filter.slice('default '.length)) as Plain));
  throw new Error(`Not understood: {{ ${text} }}`);
}

/** Renders a template of our Helm chart; throws at anything but the few constructs that it uses. */
export function renderChart(template: string, scope: Scope): string {
  const open: boolean[] = [];
  const lines: string[] = [];
  for (const line of template.split('\n')) {
    const [, control = ''] = /^\s*\{\{- ((?:if .+|end)) \}\}$/.exec(line) ?? [];
    if (control.startsWith('if ')) open.push(holds(scope, control.slice('if '.length)));
    else if (control === 'end') open.pop();
    else if (open.every(Boolean))
      lines.push(
        line.replaceAll(/(\s*)\{\{(-?) (.+?) \}\}/g, (_, before: string, trim: string, text: string) =>
          trim ? expression(scope, text) : before + expression(scope, text),
        ),
      );
  }
  if (open.length > 0) throw new Error('An {{ if }} has no {{ end }}.');
  return lines.join('\n');
}
