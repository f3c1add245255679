/** What can be altered in a source: each statement and decision of it, one at a time. Pure. */
import ts from "typescript";

export interface Mutant {
  /** From 1. */
  readonly line: number;
  /** What is put in place of the text from `start` to `end`. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** The original, in one line. */
  readonly original: string;
}

const swapped = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, "<="],
  [ts.SyntaxKind.LessThanEqualsToken, "<"],
  [ts.SyntaxKind.GreaterThanToken, ">="],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">"],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [ts.SyntaxKind.AmpersandAmpersandToken, "||"],
  [ts.SyntaxKind.BarBarToken, "&&"],
  [ts.SyntaxKind.PlusToken, "-"],
  [ts.SyntaxKind.MinusToken, "+"],
  [ts.SyntaxKind.AsteriskToken, "/"],
  [ts.SyntaxKind.SlashToken, "*"],
]);

/** Calls that only leave out, order or trim: without them the rest still stands. */
const refinements = new Set(["filter", "slice", "sort", "toSorted", "reverse", "toReversed", "trim", "toLowerCase"]);

export function mutantsOf(file: string, source: string): Mutant[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const found: Mutant[] = [];
  const replace = (node: ts.Node, text: string) => {
    const start = node.getStart(tree);
    found.push({
      line: tree.getLineAndCharacterOfPosition(start).line + 1,
      start,
      end: node.getEnd(),
      text,
      original: node.getText(tree).replace(/\s+/g, " "),
    });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node)) return;
    for (const text of alternatives(node, tree)) replace(node, text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

export const mutated = (source: string, { start, end, text }: Mutant) =>
  source.slice(0, start) + text + source.slice(end);

function alternatives(node: ts.Node, tree: ts.SourceFile): string[] {
  const textOf = (part: ts.Node) => part.getText(tree);
  if (ts.isExpressionStatement(node)) return isSuperCall(node.expression) ? [] : [";"];
  if (ts.isThrowStatement(node) || ts.isReturnStatement(node) || ts.isBreakOrContinueStatement(node)) return [";"];
  if (ts.isConditionalExpression(node)) return [textOf(node.whenTrue), textOf(node.whenFalse)].map(bracketed);
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return isCondition(node) ? [] : [bracketed(textOf(node.operand))];
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword && !ts.isLiteralTypeNode(node.parent)) return ["false"];
  if (node.kind === ts.SyntaxKind.FalseKeyword && !ts.isLiteralTypeNode(node.parent)) return ["true"];
  if (ts.isSpreadAssignment(node)) return ["...{}"];
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { expression, name } = node.expression;
    return refinements.has(name.text) ? [textOf(expression)] : [];
  }
  if (isCondition(node)) return ["true", "false"].map((value) => `(${value} as boolean)`);
  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken, right } = node;
    if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) return [textOf(left), textOf(right)].map(bracketed);
    const other = swapped.get(operatorToken.kind);
    return other ? [bracketed(`${textOf(left)} ${other} ${textOf(right)}`)] : [];
  }
  return [];
}

const bracketed = (text: string) => `(${text})`;
const isSuperCall = (node: ts.Expression) =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword;

/** Of an `if`. A loop whose condition always holds would only cost time. */
function isCondition(node: ts.Node): boolean {
  return node.parent && ts.isIfStatement(node.parent) && node.parent.expression === node;
}
