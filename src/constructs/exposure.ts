/** Finds secrets that a synthesized stack would contain as plain text, because the author wrote them as literals. */
import { TerraformLocal, TerraformProvider, TerraformStack, TerraformVariable, type TerraformElement } from "cdktf";
import type { Attribute } from "../sdk/schema";
import { camelCase } from "./naming";
import { resolved, type Plain } from "./plain";

/** One message for each secret in plain text, without the secret. */
export function exposed(construct: TerraformElement, written: Plain, attributes: readonly Attribute[]): string[] {
  return attributes.flatMap(({ name, sensitive, writeOnly }) => {
    const value = written[name];
    if (typeof value !== "string" || value === "") return [];
    const what = sensitive ? secretIn(construct, value) : passwordIn(value);
    if (what === undefined) return [];
    const variable = !sensitive && value.includes("PRIVATE KEY") ? "CLIENT_ASSERTION_PRIVATE_KEY" : name.toUpperCase();
    const { environment_prefix: prefix } = written;
    const before = typeof prefix === "string" ? `${prefix}_TENANT_` : "TENANT_";
    // A resource takes no values from the environment.
    const elsewhere = TerraformProvider.isTerraformProvider(construct)
      ? `leave it out and set ${before}${variable} in the environment, or give`
      : "give";
    return [
      `\`${camelCase(name)}\` ${what} will appear as plain text in the synthesized stack: ${elsewhere} a sensitive TerraformVariable` +
        `${writeOnly ? ', with addOverride("ephemeral", true)' : ""}.`,
    ];
  });
}

function secretIn(construct: TerraformElement, value: string): string | undefined {
  const reference = soleReference(value);
  if (reference === undefined) return holdsLiteral(value) ? "is secret, and" : undefined;
  return isFilled(construct, reference) ? `is secret, and the value of ${reference}` : undefined;
}

/** Values that are secret in every attribute. */
function passwordIn(value: string): string | undefined {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(value)) return "is a private key, not a path, and";
  return /^\s*[a-z][a-z0-9+.-]*:\/\/[^/?#\s@]+@/i.test(value)
    ? "contains a user or password in a URL, which"
    : undefined;
}

/** Whether the file of the stack contains the value of this variable or local. */
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
 * Whether a literal becomes part of the value of a template: a literal outside of `${…}`, or inside in a list or a branch. Without any
 * reference, every literal counts. Other literals only compare or look something up.
 */
function holdsLiteral(template: string): boolean {
  // A key is often built from a literal header and footer and a variable.
  const outside = template.replaceAll(interpolation, "").replace(/-----(BEGIN|END) [A-Z ]+-----/g, "");
  return /\S/.test(outside) || (template.match(interpolation) ?? []).some(holdsText);
}

/** Not `$${…}`, which Terraform reads as text. */
const interpolation = /(?<![$%])[$%]\{(?:[^{}"]|"(?:[^"\\]|\\.)*"|\{[^{}]*\})*\}/g;

function holdsText(expression: string): boolean {
  const short = expression.replaceAll(/"(?:[^"\\]|\\.)*"/g, (text) => (/[^"\s]/.test(text) ? '"x"' : '""'));
  const refers = /[a-z_][\w-]*\.|\b(file|filebase64|templatefile)\(/i.test(short);
  // A text in a branch or in a list becomes part of the value; a text in brackets after a name is a key.
  return (refers ? /(?:[?:]|(?<![\w"\])])\[(?:[^\]]*,)?)\s*"x"/ : /"x"/).test(short);
}

/** `var.name` or `local.name` if the template consists of nothing else. */
function soleReference(template: string): string | undefined {
  return /^\$\{((?:var|local)\.[\w-]+)\}$/.exec(template)?.[1];
}
