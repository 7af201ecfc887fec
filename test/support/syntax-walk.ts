/** An ESTree node seen through the fields that are read here; which of them it has depends on its type. */
export interface AstNode extends Partial<Record<NodeField, unknown>> {
  type: string;
  start: number;
}

type NodeField =
  | 'argument'
  | 'arguments'
  | 'body'
  | 'callee'
  | 'computed'
  | 'declare'
  | 'elements'
  | 'exportKind'
  | 'exported'
  | 'expressions'
  | 'id'
  | 'importKind'
  | 'imported'
  | 'key'
  | 'left'
  | 'local'
  | 'name'
  | 'object'
  | 'param'
  | 'params'
  | 'properties'
  | 'property'
  | 'quasis'
  | 'source'
  | 'specifiers'
  | 'value';

interface Scope {
  names: Set<string>;
  outer: Scope | null;
}

/** A node together with the way back to the root, because a bare ESTree node does not know its parent. */
export interface Place {
  node: AstNode;
  key: string;
  parent: Place | null;
  scope: Scope;
  inType: boolean;
}

const OPENS_SCOPE =
  /^(Program|Function(Declaration|Expression)|ArrowFunctionExpression|BlockStatement|StaticBlock|SwitchStatement|For(In|Of)?Statement|CatchClause)$/;
const HOLDS_EXPRESSION = /^(TS(As|Satisfies|NonNull|Instantiation)Expression|TSTypeAssertion)$/;

/** Whether an identifier stands for a value, rather than naming a declaration, a property, a label or a type. */
export function isReference(place: Place): boolean {
  const parent = place.parent?.node;
  if (parent === undefined || place.inType) return false;
  if (/Specifier$|^MetaProperty$/.test(parent.type) || /^(id|label)$/.test(place.key)) return false;
  return parent.computed === true || !(place.key === 'property' || place.key === 'key');
}

/** Whether the file itself declares the name somewhere around the scope. Needs the scopes of a finished walk. */
export function isLocal(name: string, scope: Scope): boolean {
  for (let at: Scope | null = scope; at !== null; at = at.outer) if (at.names.has(name)) return true;
  return false;
}

/** Visits a node and all below it, parents first, and fills the scopes on the way. */
export function walk(place: Place, visit: (place: Place) => void): void {
  declareNames(place);
  visit(place);
  for (const [key, value] of Object.entries(place.node)) {
    for (const node of isNode(value) ? [value] : childNodes(value)) {
      const scope = OPENS_SCOPE.test(node.type)
        ? { names: new Set<string>(), outer: place.scope }
        : place.scope;
      const inType = place.inType || (node.type.startsWith('TS') && !HOLDS_EXPRESSION.test(node.type));
      walk({ node, key, parent: place, scope, inType }, visit);
    }
  }
}

function declareNames({ node, parent, scope }: Place): void {
  const add = (pattern: unknown, target: Scope) => {
    for (const name of boundNames(pattern)) target.names.add(name);
  };
  if (/^Import.*Specifier$/.test(node.type)) add(node.local, scope);
  // `declare const process` names the runtime's own value, so it hides nothing.
  if (node.type === 'VariableDeclarator' && parent?.node.declare !== true) add(node.id, scope);
  if (node.type === 'CatchClause') add(node.param, scope);
  if (node.type === 'ClassDeclaration') add(node.id, scope);
  if (/^(Function(Declaration|Expression)|ArrowFunctionExpression)$/.test(node.type)) {
    add(node.id, node.type === 'FunctionDeclaration' ? (scope.outer ?? scope) : scope);
    for (const parameter of childNodes(node.params)) add(parameter, scope);
  }
}

function boundNames(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  switch (pattern.type) {
    case 'Identifier':
      return [nameOf(pattern)];
    case 'ObjectPattern':
      return childNodes(pattern.properties).flatMap((part) => boundNames(part.value ?? part.argument));
    case 'ArrayPattern':
      return childNodes(pattern.elements).flatMap(boundNames);
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'RestElement':
      return boundNames(pattern.argument);
    default:
      return [];
  }
}

/** The name in `object.name` or `object['name']`; empty when it is computed at run time. */
export function propertyName(member: AstNode): string {
  const property = asNode(member.property);
  return member.computed === true ? (literalText(property) ?? '') : nameOf(property);
}

/** The text of a string literal or of a template without holes, else null. */
export function literalText(node: AstNode): string | null {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral' || childNodes(node.expressions).length > 0) return null;
  return childNodes(node.quasis)
    .map((part) => String(Object(part.value).cooked))
    .join('');
}

export function nameOf(node: unknown): string {
  return isNode(node) ? String(node.name ?? node.value ?? '') : '';
}

export function childNodes(value: unknown): AstNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function isNode(value: unknown): value is AstNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** The parser's node types form a closed union that cannot be walked by field name; this is the one way out of it. */
export function asNode(value: unknown): AstNode {
  if (!isNode(value)) throw new TypeError('expected a syntax node');
  return value;
}

/** Answers the line number, from 1, of an offset in the source. */
export function lineFinder(source: string): (offset: number) => number {
  const starts = [0, ...Array.from(source.matchAll(/\n/g), (match) => match.index + 1)];
  return (offset) => starts.findLastIndex((start) => start <= offset) + 1;
}
