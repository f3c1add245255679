/** Reads texts of a configuration file as Terraform does: as templates. */
import { isObject, unknown } from "./value";

const template = /(?<!\$)\$\{|(?<!%)%\{/;

/** The value with `unknown` in place of every template, and of the blocks that `dynamic` makes. */
export function withUnknowns(value: unknown): unknown {
  if (typeof value === "string") {
    return template.test(value) ? unknown : value.replaceAll("$${", "${").replaceAll("%%{", "%{");
  }
  if (Array.isArray(value)) return value.map(withUnknowns);
  if (!isObject(value)) return value;
  // The keys of the map are unknown too.
  if (Object.keys(value).some((key) => template.test(key))) return unknown;
  const present = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(
    present.flatMap(([name, inner]) =>
      name === "dynamic" && isObject(inner)
        ? Object.keys(inner).map((block) => [block, unknown])
        : [[name, withUnknowns(inner)]],
    ),
  );
}
