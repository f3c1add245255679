/** Collects the errors and warnings of a definition, which are the same at synth, validate, plan and apply. */
import { check } from "../../../../src/provider/sdk/check";
import type { Definition } from "../../../../src/provider/sdk/definition";
import { attributesOf } from "../../../../src/provider/sdk/schema";

/** The details of errors and warnings, each after its severity. */
export function judged({ config, rules }: Pick<Definition, "config" | "rules">, plain: object): string[] {
  const found = check({ config, rules, attributes: attributesOf(config) }, plain);
  return found.map(({ severity, detail }) => `${severity}: ${detail}`);
}
