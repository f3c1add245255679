/**
 * Reads the text of the playground: a plan, a state, or network ACLs in JSON or HCL. ACLs that a person wrote are checked with the definition
 * of the resource.
 */
import { quoted } from "../../../access/access";
import { readHcl } from "../../../hcl/hcl";
import { plainOf, Unreadable, type Body } from "../../../hcl/tree";
import type { Values } from "../../../impact/model";
import { resourceTypes } from "../../../kinds/kinds";
import { networkAcl } from "../../../resources/network-acl/definition";
import { aclTypes } from "../../../review/acls";
import { ReviewError } from "../../../review/error";
import { parsePlan, type Plan } from "../../../review/input/plan";
import { stateIn } from "../../../review/input/state";
import { topBlocks } from "../../../review/places/statements";
import { check } from "../../../sdk/check";
import { attributesOf, type Attribute, type Shape } from "../../../sdk/schema";

export interface WrittenAcl {
  /** `tenant_network_acl.NAME`, or its place in a list. */
  readonly address: string;
  readonly values: Values;
  /** Values that the service may refuse, or that match no request. */
  readonly warnings?: readonly string[];
}

export type Written = { readonly plan: Plan } | { readonly acls: readonly WrittenAcl[] };

const mostCharacters = 4 * 1024 * 1024;

/** Throws a `ReviewError` with the remedy. */
export function writtenIn(text: string): Written {
  if (text.length > mostCharacters) {
    throw new ReviewError(
      `The text has more than ${mostCharacters / 1024 / 1024} million characters. Review large plans with \`npx tenantform review\`.`,
    );
  }
  if (text.trim() === "") throw new ReviewError(`The text is empty: write a network ACL, or paste a plan as JSON.`);
  return /^\s*\uFEFF?\s*[[{]/.test(text) ? jsonIn(text) : { acls: hclIn(text) };
}

function hclIn(text: string): WrittenAcl[] {
  try {
    const blocks = resourceBlocks(text, aclTypes);
    if (blocks.length === 0)
      throw new ReviewError(
        `The text has no network ACL: write a block such as \`resource "tenant_network_acl" "name" {\`.`,
      );
    for (const { values, line } of blocks) {
      const repeated = ["count", "for_each"].find((argument) => argument in values);
      if (repeated !== undefined)
        throw new Unreadable(line, `the block has ${repeated}. Write each ACL as a block of its own.`);
    }
    return checkedAcls(
      blocks.map(({ type, name: label, values }) => ({ address: `${type}.${label}`, values })),
      false,
    );
  } catch (error) {
    if (error instanceof Unreadable) throw new ReviewError(`The text, ${error.message}`);
    throw error;
  }
}

function jsonIn(text: string): Written {
  let read: unknown;
  try {
    read = JSON.parse(text.replace(/^\s*\uFEFF/, ""));
  } catch (error) {
    throw new ReviewError(`The text is incomplete or not JSON: ${(error as Error).message}.`);
  }
  const list = listIn(read);
  if (list) return { acls: checkedAcls(list, true) };
  const state = stateIn(text);
  if (!state) return { plan: parsePlan(text, "The text") };
  const own = state.filter(({ mode, type }) => mode === "managed" && aclTypes.includes(type));
  if (own.length === 0) throw new ReviewError(`The text is a state without network ACLs: paste a plan, or write ACLs.`);
  if (own.some(({ sensitive_values: marks }) => JSON.stringify(marks ?? {}).includes("true")))
    throw new ReviewError(
      `The text is a state with sensitive values: explain it with \`npx tenantform explain\` instead.`,
    );
  return { acls: own.map(({ address, values }) => ({ address, values })) };
}

/** A list of ACLs, the response of the Management API, or a single ACL. */
function listIn(read: unknown): WrittenAcl[] | undefined {
  const isObject = typeof read === "object" && read !== null;
  const { network_acls: named, rule } = (isObject ? read : {}) as { readonly [name: string]: unknown };
  const list = Array.isArray(read) ? (read as unknown[]) : Array.isArray(named) ? (named as unknown[]) : rule && [read];
  if (!list) return undefined;
  return (list as unknown[]).map((values, index) => {
    const address = `network_acls[${index}]`;
    if (typeof values !== "object" || values === null || Array.isArray(values))
      throw new ReviewError(`${address} is not an object: give ACLs as the Management API returns them.`);
    return { address, values: values as Values };
  });
}

interface ResourceBlock {
  readonly type: string;
  readonly name: string;
  readonly line: number;
  /** A block is a list of its contents, because it may repeat. */
  readonly values: Values;
}

/** Arguments of every resource, which do not change the object. */
const ignored: ReadonlySet<string> = new Set(["depends_on", "lifecycle", "provider"]);

/** The resource blocks of these types. Other blocks of a configuration are skipped. Throws `Unreadable`. */
function resourceBlocks(source: string, types: readonly string[]): ResourceBlock[] {
  const { attributes, blocks } = readHcl(source);
  const others = blocks.map(({ type, line }) => [type, line] as const).filter(([type]) => !topBlocks.has(type));
  const [stray] = [...[...attributes].map(([name, { line }]) => [name, line] as const), ...others];
  if (stray)
    throw new Unreadable(
      stray[1],
      `${quoted(stray[0])} is not known here. Write blocks such as \`resource "tenant_network_acl" "name" {\`.`,
    );
  return blocks.flatMap(({ type: word, labels: [type = "", name = ""], line, ...body }) =>
    word === "resource" && types.includes(type) ? [{ type, name, line, values: valuesOf(body, ignored) }] : [],
  );
}

function valuesOf({ attributes, blocks }: Body, skipped: ReadonlySet<string> = new Set()): Values {
  const found = new Map<string, unknown>();
  for (const [name, value] of attributes) {
    if (skipped.has(name)) continue;
    const read = plainOf(value, ({ line }) => {
      throw new Unreadable(
        line,
        `${name} is an expression, and the playground evaluates none. Write the value itself, or paste a plan as JSON.`,
      );
    });
    found.set(name, read);
  }
  for (const { type, labels, line, ...body } of blocks) {
    if (skipped.has(type)) continue;
    if (labels.length > 0)
      throw new Unreadable(line, `${quoted(type)} has a label. Write each block itself, without \`dynamic\`.`);
    if (attributes.has(type)) throw new Unreadable(line, `${type} is there twice. Remove one.`);
    found.set(type, [...((found.get(type) ?? []) as unknown[]), valuesOf(body)]);
  }
  return Object.fromEntries(found);
}

/** There are 100 priorities, each for one ACL. */
const priorities = 100;
const attributes = attributesOf(networkAcl.config);
const shape: Shape = { kind: "object", attributes };
const computed = new Set(Object.keys(networkAcl.computed?.shape ?? {}));

/** Throws if a value is not valid. `isJson`: the form of the Management API, whose later versions may have more signals. */
function checkedAcls(written: readonly WrittenAcl[], isJson: boolean): WrittenAcl[] {
  if (written.length > priorities)
    throw new ReviewError(
      `There are ${written.length} network ACLs, and a tenant has at most ${priorities}. Remove some.`,
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

/**
 * The text that a link may contain. ACLs stay as they are. A plan in JSON shows sensitive values, so it keeps only the changes of the resources
 * that the review reads.
 */
export function shareable(text: string): string {
  const written = writtenIn(text);
  if (!("plan" in written)) return text;
  const { format_version, complete, errored, resource_changes: changes } = written.plan;
  const own = changes.filter(({ type }) => resourceTypes.includes(type));
  const isSensitive = ({ change }: (typeof own)[number]) =>
    [change.before_sensitive, change.after_sensitive].some(hasMark);
  const secret = own.find(isSensitive);
  if (secret)
    throw new ReviewError(
      `The plan marks values of ${secret.address} as sensitive, so no link is made. Share the review of \`npx tenantform review\` instead.`,
    );
  return JSON.stringify({ format_version, complete, errored, resource_changes: own });
}

const hasMark = (marks: unknown): boolean =>
  marks === true || (typeof marks === "object" && marks !== null && Object.values(marks).some(hasMark));
