import { type ESTree, type ParseResult, Visitor } from 'vite';
import { fieldTypeNames } from '../packages/contract/src/fields/registry.ts';

/** Where types of fields are known by their names; QVD has column types of its own. */
const home = /^packages\/(contract\/src\/fields|data-sources\/src\/dialects|qvd)\//;
/** The texts of a language have an entry for each type. */
const texts = /^apps\/(extension\/src\/texts\/|console\/src\/shared\/fields\/type-names\.ts$)/;

const names: ReadonlySet<unknown> = new Set(fieldTypeNames);

const quoted = `['"](${fieldTypeNames.join('|')})['"]`;
/** Walking the tree of a file takes long; most files have nothing like these. */
const MAY_KNOW = new RegExp(
  String.raw`[!=]==?\s*${quoted}|${quoted}\s*[!=]==?|case\s+${quoted}|\.includes\([^)]*[tT]ype\b|Record<FieldType`,
);

const named = (node: ESTree.Node, wanted: RegExp): boolean =>
  node.type === 'Identifier' && wanted.test(node.name);

/** `type`, `field.type`, `fieldType` and the like, but not the type of a JSON schema. */
function isType(node: ESTree.Node): boolean {
  const wanted = /^(type|fieldType|cellType)$/;
  if (node.type === 'ChainExpression') return isType(node.expression);
  if (node.type !== 'MemberExpression') return named(node, wanted);
  return named(node.property, wanted) && !named(node.object, /^schema$/);
}

const isName = (node: ESTree.Node | null): boolean => node?.type === 'Literal' && names.has(node.value);

/** The places of a file that compare the type of a field with a name, or have a table of all types. */
export function knownFieldTypes(file: string, source: string, { program }: ParseResult): number[] {
  if (home.test(file) || !MAY_KNOW.test(source)) return [];
  const found: number[] = [];
  const note = ({ start }: ESTree.Node, isKnown: boolean) => {
    if (isKnown) found.push(source.slice(0, start).split('\n').length);
  };
  new Visitor({
    BinaryExpression: (node) => {
      const { left, right } = node;
      note(node, (isType(left) && isName(right)) || (isName(left) && isType(right)));
    },
    SwitchStatement: (node) =>
      note(node, isType(node.discriminant) && node.cases.some(({ test }) => isName(test))),
    CallExpression: (node) => {
      const { callee, arguments: given } = node;
      if (callee.type !== 'MemberExpression' || callee.object.type !== 'ArrayExpression') return;
      note(node, callee.object.elements.some(isName) && given.some(isType));
    },
    TSTypeReference: (node) => {
      const [key] = node.typeArguments?.params ?? [];
      if (texts.test(file) || !named(node.typeName, /^Record$/)) return;
      note(node, key?.type === 'TSTypeReference' && named(key.typeName, /^FieldType$/));
    },
  }).visit(program);
  return found;
}
