/** Every message has a code, and a section in docs/guides/messages.md with that anchor, its title and an example. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { codes } from "../../src/impact/finding";
import { codeOf, titles } from "../../src/sdk/message-codes";
import published from "./anchors.json";

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

interface Section {
  readonly code: string;
  readonly title: string;
  /** The lines of its first block. */
  readonly example: readonly string[];
}

const sections: Section[] = [
  ...page.matchAll(/^<a id="([^"]+)"><\/a>\n\n### ([^\n]+)\n\n```text\n(.*?)\n```\n\n\S/gms),
].map(([, code, title, example]) => ({ code: code!, title: title!, example: example!.split("\n") }));
const isCommand = ({ code }: Section) => code.startsWith("tenantform-");
const ofProvider = sections.filter((one) => !isCommand(one) && one.code !== "function-argument");

/** A text without a computed part at its start. */
const isNamed = ({ text }: Message) => !text.startsWith("…");

test("every message has a title with a code", () => {
  expect(messages.length).toBeGreaterThan(50);
  const without = messages.filter(({ text }) => !Object.values(titles).some((title) => isSame(title, text)));
  expect(without).toEqual([]);
});

test("a message has only one code", () => {
  const several = messages
    .filter(isNamed)
    .map(({ text }) => ({ text, fitting: Object.values(titles).filter((title) => fits(title, text)) }))
    .filter(({ fitting }) => fitting.filter((title) => !title.startsWith("…")).length > 1);
  expect(several).toEqual([]);
});

test("every title belongs to an existing message", () => {
  // The code builds these summaries from several parts.
  const composed = ["Organization … would lose …", "Doubtful …"];
  const stale = Object.values(titles).filter(
    (title) => !composed.includes(title) && !messages.some(({ text }) => isSame(title, text)),
  );
  expect(stale).toEqual([]);
});

test("every section has an anchor, a title, an example and a text", () => {
  expect(page.match(/^### /gm)).toHaveLength(sections.length);
});

test("the sections are those of the codes, under their titles", () => {
  expect(Object.fromEntries(ofProvider.map(({ code, title }) => [code, title]))).toEqual(titles);
});

test("the example of a message shows its title, which leads to its section", () => {
  for (const { code, example } of ofProvider) {
    expect(example[0]).toMatch(/^(Error|Warning): /);
    expect({ code, found: codeOf(example[0]!.replace(/^\w+: /, "")) }).toEqual({ code, found: code });
    expect(example.length).toBeGreaterThan(1);
  }
});

test("every command has a section", () => {
  const cli = readFileSync(path.join(root, "src/cli.ts"), "utf8");
  const commands = [...cli.matchAll(/^(\w+)Command\(program\);$/gm)].map(([, name]) => `tenantform-${name}`);
  const documented = sections.filter(isCommand).map(({ code }) => code);
  expect(documented.toSorted()).toEqual(commands.toSorted());
});

// Messages of older versions link to these anchors. Add new ones to the list; never remove or rename one.
test("every published anchor still exists, and every anchor is in the list of published ones", () => {
  const findings = readFileSync(path.join(root, "docs/guides/findings.md"), "utf8");
  expect(sections.map(({ code }) => code).toSorted()).toEqual(published.messages.toSorted());
  const headings = [...findings.matchAll(/^## (TNF-[A-Z-]+)$/gm)].map(([, code]) => code!);
  expect(headings.toSorted()).toEqual(published.findings.toSorted());
  expect(headings.toSorted()).toEqual(Object.keys(codes).toSorted());
});
