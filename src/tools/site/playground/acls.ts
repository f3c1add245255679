/** Checks network ACLs that a person wrote, with the definition of the resource. */
import type { Values } from "../../../impact/model";
import { networkAcl } from "../../../resources/network-acl/definition";
import { check } from "../../../sdk/check";
import { attributesOf, type Attribute, type Shape } from "../../../sdk/schema";
import { ReviewError } from "../../../review/error";

export interface WrittenAcl {
  /** `tenant_network_acl.NAME`, or its place in a list. */
  readonly address: string;
  readonly values: Values;
  /** Values that the service may refuse, or that match no request. */
  readonly warnings?: readonly string[];
}

/** A tenant has one ACL for each priority from 1 to 100. */
export const mostAcls = 100;
const attributes = attributesOf(networkAcl.config);
const shape: Shape = { kind: "object", attributes };
const computed = new Set(Object.keys(networkAcl.computed?.shape ?? {}));

/** Throws if a value is not valid. `isJson`: the form of the Management API, whose later versions may have more signals. */
export function checkedAcls(written: readonly WrittenAcl[], isJson: boolean): WrittenAcl[] {
  if (written.length > mostAcls)
    throw new ReviewError(
      `There are ${written.length} network ACLs, and a tenant has at most ${mostAcls}. Remove some.`,
    );
  const seen = new Set<string>();
  return written.map(({ address, values }) => {
    if (seen.has(address)) throw new ReviewError(`${address} is there twice. Rename one.`);
    seen.add(address);
    const given = normalized(values, shape) as Values;
    const unexpected = unexpectedIn(given, attributes, [], isJson);
    if (unexpected !== undefined) throw new ReviewError(`${address}: ${unexpected}`);
    const found = check({ config: networkAcl.config, attributes, rules: networkAcl.rules ?? [] }, given);
    const problem = found.find(({ severity }) => severity === "error");
    if (problem) throw new ReviewError(`${address}: ${problem.detail}`);
    return { address, values: given, warnings: found.map(({ detail }) => `${address}: ${detail}`) };
  });
}

/** Without null, and with a single block in place of a list of one block. */
function normalized(value: unknown, form: Shape | undefined): unknown {
  if (form?.kind === "object" && Array.isArray(value) && value.length === 1) return normalized(value[0], form);
  if (Array.isArray(value))
    return value.map((one) => normalized(one, form && "element" in form ? form.element : undefined));
  if (typeof value !== "object" || value === null) return value;
  if (form !== undefined && "element" in form) return [normalized(value, form.element)];
  const inner = (name: string) =>
    form?.kind === "object" ? form.attributes.find((one) => one.name === name)?.shape : undefined;
  const entries = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(entries.map(([name, part]) => [name, normalized(part, inner(name))]));
}

/** A name that is no attribute. */
function unexpectedIn(
  values: Values,
  known: readonly Attribute[],
  path: readonly string[],
  isJson: boolean,
): string | undefined {
  for (const [name, value] of Object.entries(values)) {
    const attribute = known.find((one) => one.name === name);
    const place = [...path, name].join(".");
    const mayBeNewer = isJson && ["match", "not_match"].includes(path.at(-1) ?? "");
    if (!attribute) {
      if (mayBeNewer || (path.length === 0 && computed.has(name))) continue;
      const names = known.map((one) => one.name).join(", ");
      return `\`${place}\` is not an attribute. Use one of ${names}.`;
    }
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const found =
      isObject && attribute.shape.kind === "object"
        ? unexpectedIn(value as Values, attribute.shape.attributes, [...path, name], isJson)
        : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
