/** Applies the checks of the provider at synth, with the same definitions and rules. */
import { TerraformProvider, type TerraformElement } from "cdktf";
import type * as z from "zod";
import { formatPath } from "../formats/cty/path";
import { withUnknowns } from "../formats/cty/template";
import { unknown } from "../formats/cty/value";
import type { Rule } from "../provider/sdk/attribute";
import { check } from "../provider/sdk/check";
import type { Attribute } from "../provider/sdk/schema";
import { addCheck } from "./checks";
import { described } from "./described";
import { hear, isReference, unknownInFile, wellFormed } from "./given";
import { demandSameLibrary } from "./cdk-library";
import { camelCase, inCamelCase, pascalCase } from "./naming";
import { takeWritten, type Plain } from "./plain";
import { warn } from "./warn";

export interface Definition {
  readonly name: string;
  readonly config: z.ZodObject;
  readonly rules?: readonly Rule[];
}

/** The part of the configuration that the generated class accepts. Synth reports the rest. */
export function given<C extends object>(definition: Definition, id: unknown, config: C): C {
  return wellFormed(definition.name, described(definition.config).attributes, id, config);
}

/**
 * Adds the definition's checks to the construct. `written` is the author's configuration, with attributes that the generated class silently
 * drops. All other checks read the configuration in the file of the stack, so that setters and overrides count.
 */
export function checkAtSynth(construct: TerraformElement, definition: Definition, written: object): void {
  demandSameLibrary(construct);
  const { attributes, names } = described(definition.config);
  const put = recordPuts(construct, attributes);
  addCheck(construct, () => {
    const inFile = takeWritten(construct);
    if (!inFile) return [];
    const { errors: refusals, refused } = hear({ ...written, ...put }, attributes);
    const asUnknown = Object.fromEntries(refused.map((name) => [name, unknown]));
    const plain = { ...(withUnknowns(inFile) as Plain), ...asUnknown };
    const diagnostics = check({ ...definition, attributes }, plain);
    const messages = diagnostics.map(({ severity, path, detail }) => {
      const subject = formatPath(path);
      const text = detail.includes(`\`${subject}`) ? detail : `\`${subject}\`: ${detail}`;
      return { severity, text: inCamelCase(text, names) };
    });
    const warnings = messages.filter(({ severity }) => severity === "warning").map(({ text }) => text);
    for (const text of [...warnings, ...exposed(construct, inFile, attributes)]) warn(construct, text);
    const errors = messages.filter(({ severity }) => severity === "error").map(({ text }) => text);
    return [...errors, ...refusals, ...unknownInFile(inFile, attributes)];
  });
}

/** The values of `putRule` and its kind, which drop unknown names as the constructor does. */
function recordPuts(construct: TerraformElement, attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  const puts: Record<string, unknown> = {};
  for (const { name } of attributes) {
    const method = `put${pascalCase(name)}`;
    const put: unknown = Reflect.get(construct, method);
    if (typeof put !== "function") continue;
    const value = (argument: unknown): void => {
      puts[camelCase(name)] = argument;
      Reflect.apply(put, construct, [argument]);
    };
    Object.defineProperty(construct, method, { value });
  }
  return puts;
}

/** One message for each secret that a synthesized stack would contain as plain text, because it is a literal. */
function exposed(construct: TerraformElement, written: Plain, attributes: readonly Attribute[]): string[] {
  const { environment_prefix: prefix } = written;
  const before = typeof prefix === "string" ? `${prefix}_TENANT_` : "TENANT_";
  const isLiteral = (value: unknown) => typeof value === "string" && value !== "" && !isReference(value);
  return attributes.flatMap(({ name, sensitive, writeOnly }) => {
    if (!sensitive || !isLiteral(written[name])) return [];
    // A resource takes no values from the environment.
    const elsewhere = TerraformProvider.isTerraformProvider(construct)
      ? `leave it out and set ${before}${name.toUpperCase()} in the environment, or give`
      : "give";
    return [
      `\`${camelCase(name)}\` is secret, and will appear as plain text in the synthesized stack: ${elsewhere} a sensitive TerraformVariable` +
        `${writeOnly ? ', with addOverride("ephemeral", true)' : ""}.`,
    ];
  });
}
