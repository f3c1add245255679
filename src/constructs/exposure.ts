/** Finds secrets that a synthesized stack would contain as plain text, because the author wrote them as literals. */
import { TerraformProvider, type TerraformElement } from "cdktf";
import type { Attribute } from "../sdk/schema";
import { isReference } from "./given";
import { camelCase } from "./naming";
import type { Plain } from "./plain";

/** One message for each literal in a sensitive attribute, without the secret. */
export function exposed(construct: TerraformElement, written: Plain, attributes: readonly Attribute[]): string[] {
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
