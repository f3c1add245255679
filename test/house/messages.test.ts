/** Every message of the provider has a section in docs/guides/messages.md, and every section has a message. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

const root = path.join(__dirname, "../..");
const rooms = ["resources", "sdk"];

interface Message {
  /** With `…` for computed parts, like the titles of sections. */
  readonly text: string;
  readonly place: string;
}

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** All possible texts of the expression. */
function textsOf(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isConditionalExpression(node)) return [...textsOf(node.whenTrue), ...textsOf(node.whenFalse)];
  if (!ts.isTemplateExpression(node)) return [];
  return [node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join("")];
}

/** Whether one text fits the other, if `…` stands for any text. */
const isSame = (one: string, other: string) => fits(one, other) || fits(other, one);
const fits = (open: string, text: string) => new RegExp(`^${open.split("…").map(literal).join(".*")}$`).test(text);

/** The summary of a report, a DiagnosticError or a warning. */
function summaryIn(node: ts.Node): ts.Expression | undefined {
  if (ts.isPropertyAssignment(node) && node.name.getText() === "summary") return node.initializer;
  if (ts.isNewExpression(node) && node.expression.getText() === "DiagnosticError") return node.arguments?.[0];
  if (ts.isCallExpression(node) && /(^|\.)warn$/.test(node.expression.getText())) {
    const [summary, detail] = node.arguments;
    return detail && textsOf(detail).length + Number(ts.isBinaryExpression(detail)) > 0 ? summary : undefined;
  }
  return undefined;
}

function messagesOf(file: string): Message[] {
  const tree = ts.createSourceFile(file, readFileSync(path.join(root, file), "utf8"), ts.ScriptTarget.Latest, true);
  const found: Message[] = [];
  const visit = (node: ts.Node) => {
    const summary = summaryIn(node);
    if (summary) found.push(...textsOf(summary).map((text) => ({ text, place: file })));
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const messages = rooms
  .flatMap((room) =>
    readdirSync(path.join(root, "src", room), { recursive: true, encoding: "utf8" }).map(
      (file) => `src/${room}/${file}`,
    ),
  )
  .filter((file) => file.endsWith(".ts"))
  .flatMap(messagesOf);
const page = readFileSync(path.join(root, "docs/guides/messages.md"), "utf8");
const sections = [...page.matchAll(/^### (.+)$/gm)].map(([, title]) => title!);

test("every message has a section", () => {
  expect(messages.length).toBeGreaterThan(50);
  const untold = messages.filter(({ text }) => !sections.some((title) => isSame(title, text)));
  expect(untold).toEqual([]);
});

test("every section explains an existing message", () => {
  // The code builds this summary from several parts.
  const composed = "Organization … would lose … of …";
  const stale = sections.filter((title) => title !== composed && !messages.some(({ text }) => isSame(title, text)));
  expect(stale).toEqual([]);
});

test("no section is empty", () => {
  expect(page).not.toMatch(/^### .+\s+^#/m);
});
