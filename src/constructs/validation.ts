/** Applies the checks of the provider at synth, with the same definitions and rules. */
import { TerraformElement, TerraformProvider, TerraformStack } from "cdktf";
import * as z from "zod";
import { formatPath } from "../formats/cty/path";
import { withUnknowns } from "../formats/cty/template";
import { unknown } from "../formats/cty/value";
import type { Rule } from "../provider/sdk/attribute";
import { check } from "../provider/sdk/check";
import type { Attribute } from "../provider/sdk/schema";
import { addCheck, writtenOf, type Plain, warn } from "./checks";
import { described } from "./attributes";
import { checkInput, isReference, problemsInFile, wellFormed, type Defined } from "./input-check";
import { libraryOf } from "./testing/stack";
import { camelCase, inCamelCase } from "./naming";
import { recordOrigin } from "./origin";
import { judgeStack } from "./stack-judge";
import { isTenantProvider } from "./tenant";

export interface Definition {
  readonly config: z.ZodObject;
  readonly computed?: z.ZodObject;
  readonly rules?: readonly Rule[];
}

/** Of a data source that reads the whole tenant. */
export const noArguments: Definition = { config: z.object({}) };

/** The part of the configuration that the generated class accepts. Synth reports the rest. */
export function given<C extends object>(definition: Definition, config: C): C {
  return wellFormed(definedBy(definition), config);
}

const definedBy = ({ config, computed }: Definition): Defined => ({
  attributes: described(config).attributes,
  computed: Object.keys(computed?.shape ?? {}),
});

// TypeScript wants this form of a class that extends a parameter.
// oxlint-disable-next-line typescript/no-explicit-any
type Given = any[];

/** The generated class, with the checks of the definition. */
export function checked<C extends new (...given: Given) => TerraformElement>(generated: C, definition: Definition): C {
  return class extends generated {
    constructor(...[scope, id, config]: Given) {
      super(scope, id, given(definition, config));
      checkAtSynth(this, definition, config);
    }
  };
}

/**
 * Records the line that creates the construct, and adds the definition's checks. `written` is the author's configuration, with attributes that the generated class silently
 * drops. All other checks read the configuration in the file of the stack, so that setters and overrides count.
 */
export function checkAtSynth(construct: TerraformElement, definition: Definition, written: object): void {
  demandSameLibrary(construct);
  recordOrigin(construct);
  const { attributes, names } = described(definition.config);
  addCheck(construct, () => {
    const inFile = writtenOf(construct);
    if (!inFile) return [];
    const { errors: refusals, refused } = checkInput(written, definedBy(definition));
    const asUnknown = Object.fromEntries(refused.map((name) => [name, unknown]));
    const plain = { ...(withUnknowns(inFile) as Plain), ...asUnknown };
    const diagnostics = check({ ...definition, attributes }, plain);
    const messages = diagnostics.map(({ severity, path, detail }) => {
      const subject = formatPath(path);
      const text = detail.includes(`\`${subject}`) || detail.startsWith(subject) ? detail : `\`${subject}\`: ${detail}`;
      return { severity, text: inCamelCase(text, names) };
    });
    const warnings = messages.filter(({ severity }) => severity === "warning").map(({ text }) => text);
    for (const text of [...warnings, ...exposed(construct, inFile, attributes)]) warn(construct, text);
    const errors = messages.filter(({ severity }) => severity === "error").map(({ text }) => text);
    return [
      ...errors,
      ...refusals,
      ...problemsInFile(inFile, attributes),
      ...strangeDependencies(construct, written),
      ...strangeProvider(construct),
    ];
  });
  judgeStack(construct);
}

/** Dependencies that the file would name, and the file of another stack has. */
function strangeDependencies(construct: TerraformElement, written: unknown): string[] {
  const stack = TerraformStack.of(construct);
  const { dependsOn } = (written ?? {}) as { readonly dependsOn?: unknown };
  const elements = Array.isArray(dependsOn) ? dependsOn : [];
  return elements.flatMap((one, index) => {
    if (!TerraformElement.isTerraformElement(one) || TerraformStack.of(one) === stack) return [];
    return `\`dependsOn[${index}]\` is ${one.node.path} of another stack: call \`addDependency\` of the stack.`;
  });
}

/** The library would take the provider of this stack that has the same alias, and Terraform the environment: both may be another tenant. */
function strangeProvider(construct: TerraformElement & { readonly provider?: TerraformProvider }): string[] {
  const { provider } = construct;
  const stack = TerraformStack.of(construct);
  if (provider && TerraformStack.of(provider) !== stack)
    return [`\`provider\` is ${provider.node.path} of another stack: give a TenantProvider of this stack.`];
  const own = stack.node.findAll().filter(isTenantProvider);
  if (provider || TerraformProvider.isTerraformProvider(construct) || own.length === 0) return [];
  if (own.some(({ alias }) => alias === undefined)) return [];
  const paths = own.map(({ node }) => node.path).join(", ");
  return [`\`provider\` is missing, and each provider of the stack has an alias: give one of ${paths}.`];
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

/** Refuses a construct for one library in a stack of the other, where it would fail without a reason. */
function demandSameLibrary(construct: TerraformElement): void {
  const stack = TerraformStack.of(construct);
  const theirs = libraryOf(stack.constructor);
  const ours = libraryOf(TerraformStack);
  if (theirs === ours || theirs === undefined) return;
  throw new Error(
    `${construct.node.path} is a construct for ${ours} in a stack of ${theirs}: import it from "tenantform/${theirs}".`,
  );
}
