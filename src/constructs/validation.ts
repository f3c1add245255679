/** What the provider would refuse at plan, said at synth: by the same definitions and rules, all at once. */
import { Annotations, type TerraformElement } from "cdktf";
import type * as z from "zod";
import { formatPath } from "../cty/path";
import type { Rule } from "../sdk/attribute";
import { check } from "../sdk/check";
import { addCheck } from "./checks";
import { described } from "./described";
import { exposed } from "./exposure";
import { hear, withMeant, wellFormed } from "./given";
import { demandSameLibrary } from "./cdk-library";
import { inCamelCase } from "./naming";
import { takeWritten, withUnknowns, type Plain } from "./plain";

export interface Definition {
  readonly name: string;
  readonly config: z.ZodObject;
  readonly rules?: readonly Rule[];
}

/** What the generated class can take of what the author gave; the rest is complained of at synth. */
export function given<C extends object>(definition: Definition, id: unknown, config: C): C {
  return wellFormed(definition.name, described(definition.config).attributes, id, config);
}

/**
 * Adds the definition's checks to the construct. `written` is what the author gave: only there can be seen what the
 * generated class does not know and silently drops. Everything else is judged as it will stand in the stack's file, so
 * that setters and overrides count.
 */
export function checkAtSynth(construct: TerraformElement, definition: Definition, written: object): void {
  demandSameLibrary(construct);
  const { attributes, names } = described(definition.config);
  const warned = new Set<string>();
  addCheck(construct, () => {
    const inFile = takeWritten(construct);
    if (!inFile) return [];
    const heard = hear(construct, written, attributes);
    const plain = heard.meant.reduce(withMeant, withUnknowns(inFile) as Plain);
    const diagnostics = check({ ...definition, attributes }, plain);
    const said = diagnostics.map(({ severity, path, detail }) => {
      const subject = formatPath(path);
      const text = detail.includes(`\`${subject}`) ? detail : `\`${subject}\`: ${detail}`;
      return { severity, text: inCamelCase(text, names) };
    });
    const warnings = said.filter(({ severity }) => severity === "warning").map(({ text }) => text);
    for (const text of [...heard.warnings, ...warnings, ...exposed(construct, inFile, attributes)]) {
      // Stack and app each ask for the validations.
      if (!warned.has(text)) Annotations.of(construct).addWarning(text);
      warned.add(text);
    }
    const errors = said.filter(({ severity }) => severity === "error").map(({ text }) => text);
    return [...errors, ...heard.errors];
  });
}
