/** Secrets that a synthesized stack would hold in the open: texts of the author's that no variable stands for. */
import { TerraformLocal, TerraformProvider, TerraformStack, TerraformVariable, type TerraformElement } from "cdktf";
import type { Attribute } from "../sdk/schema";
import { camelCase } from "./naming";
import { resolved, type Plain } from "./plain";

/** What a synthesized construct would hold in the open, each in a sentence that does not repeat it. */
export function exposed(construct: TerraformElement, written: Plain, attributes: readonly Attribute[]): string[] {
  return attributes.flatMap(({ name, sensitive, writeOnly }) => {
    const value = written[name];
    if (typeof value !== "string" || value === "") return [];
    const what = sensitive ? secretIn(construct, value) : passwordIn(value);
    if (what === undefined) return [];
    const variable = !sensitive && value.includes("PRIVATE KEY") ? "CLIENT_ASSERTION_PRIVATE_KEY" : name.toUpperCase();
    // Of a resource nothing comes from the environment.
    const elsewhere = TerraformProvider.isTerraformProvider(construct)
      ? `leave it out and set TENANT_${variable} in the environment, or give`
      : "give";
    return [
      `\`${camelCase(name)}\` ${what} will stand readable in the synthesized stack: ${elsewhere} a sensitive TerraformVariable` +
        `${writeOnly ? ', with addOverride("ephemeral", true)' : ""}.`,
    ];
  });
}

function secretIn(construct: TerraformElement, value: string): string | undefined {
  const reference = soleReference(value);
  if (reference === undefined) return holdsLiteral(value) ? "is secret and" : undefined;
  return isFilled(construct, reference) ? `is secret, and what ${reference} stands for` : undefined;
}

/** Secret wherever it stands. */
function passwordIn(value: string): string | undefined {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(value)) return "is a private key, not the path of one, which";
  return /^\s*[a-z][a-z0-9+.-]*:\/\/[^/?#\s@]+@/i.test(value) ? "names a user or password in a URL, which" : undefined;
}

/** Whether the variable or local of the construct's stack has its value in the stack's file. */
function isFilled(construct: TerraformElement, reference: string): boolean {
  const [kind, name] = reference.split(".");
  return TerraformStack.of(construct)
    .node.findAll()
    .some((other) => {
      const isMeant = other instanceof (kind === "var" ? TerraformVariable : TerraformLocal);
      if (!isMeant || other.friendlyUniqueId !== name) return false;
      const { variable, locals } = other.toTerraform();
      const value: unknown = resolved(variable?.[name!]?.default ?? locals?.[name!], other);
      return typeof value === "string" && holdsLiteral(value);
    });
}

/**
 * Whether a text of the author's becomes part of a template's value: one outside of `${…}`, and inside one in a list or a
 * branch, or any at all where nothing is referred to. Others are there to compare with, or to look something up by.
 */
function holdsLiteral(template: string): boolean {
  const { outside, expressions } = split(template);
  // A key is often put together from its armour and a variable.
  return /\S/.test(outside.replace(/-----(BEGIN|END) [A-Z ]+-----/g, "")) || expressions.some(holdsText);
}

/** `var.name` or `local.name`, where the template is nothing else. */
function soleReference(template: string): string | undefined {
  return /^\$\{((?:var|local)\.[\w-]+)\}$/.exec(template)?.[1];
}

const inText = /\$\$\{|%%\{|[$%]\{|[^$%]+|./gsy;
const inExpression = /"(?:[^"\\]|\\.)*"|[\w-]+|\s+|./gsy;

function split(template: string): { outside: string; expressions: readonly string[][] } {
  const expressions: string[][] = [];
  let outside = "";
  let depth = 0;
  let at = 0;
  while (at < template.length) {
    const form = depth === 0 ? inText : inExpression;
    form.lastIndex = at;
    const [token] = form.exec(template)!;
    at = form.lastIndex;
    if (depth === 0 && (token === "${" || token === "%{")) {
      depth = 1;
      expressions.push([]);
    } else if (depth === 0) {
      outside += token;
    } else {
      depth += token === "{" ? 1 : token === "}" ? -1 : 0;
      if (depth > 0 && /\S/.test(token)) expressions.at(-1)!.push(token);
    }
  }
  // What does not end is no expression: Terraform will refuse it, but it stands in the file.
  if (depth > 0) outside += `\${${expressions.pop()!.join("")}`;
  return { outside, expressions };
}

const opening: Readonly<Record<string, string>> = { "(": "call", "[": "list", "{": "object" };

function holdsText(tokens: readonly string[]): boolean {
  const refers = tokens.some(
    (token, index) =>
      /^(file|filebase64|templatefile)$/.test(token) || (/^[a-z_]/i.test(token) && tokens[index + 1] === "."),
  );
  const around: string[] = [];
  return tokens.some((token, index) => {
    const before = tokens[index - 1] ?? "";
    if (token in opening) around.push(token === "[" && /[\w"\])]$/.test(before) ? "index" : opening[token]!);
    if (/^[)\]}]$/.test(token)) around.pop();
    if (!/^".*\S.*"$/s.test(token)) return false;
    return !refers || before === "?" || before === ":" || around.at(-1) === "list";
  });
}
