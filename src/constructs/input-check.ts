/**
 * Reads what an author gave to a construct. A generated class silently drops names that it does not know, and fails on values of another
 * form, such as a text in place of a list. It gets neither, and synth reports both. The checks of the provider say the rest.
 */
import { TerraformCount, TerraformProvider, Token } from "cdktf";
import { Construct } from "constructs";
import { nearest } from "../formats/text/nearest";
import { factTable } from "../judge/access/access";
import { nounOf, show } from "../provider/sdk/check";
import type { Attribute, Shape } from "../provider/sdk/schema";
import { propertyName } from "./naming";
import { isTenantProvider } from "./tenant";
import type { Plain } from "./checks";

export interface InputErrors {
  readonly errors: string[];
  /** Attributes of the construct that the file lacks because an error reports them, in Terraform's names. */
  readonly refused: string[];
}

type Literal = Readonly<Record<string, unknown>>;

/** What a definition has. */
export interface Defined {
  readonly attributes: readonly Attribute[];
  /** The names of attributes that only the provider sets. */
  readonly computed: readonly string[];
}

/** The part of the configuration that the generated class accepts. */
export const wellFormed = <C extends object>(defined: Defined, config: C): C =>
  (isConfig(config) ? checkConfig(config, defined, noErrors()) : {}) as C;

/** What the author gave and the file of the stack does not show. */
export function checkInput(written: unknown, defined: Defined): InputErrors {
  const found = noErrors();
  if (isConfig(written)) checkConfig(written, defined, found);
  else if (isPresent(written)) found.errors.push(`The configuration is ${shown(written)}: give an object.`);
  return found;
}

const noErrors = (): InputErrors => ({ errors: [], refused: [] });

const isPresent = (value: unknown) => value !== undefined && value !== null;

const isConfig = (value: unknown): value is Literal => isObject(value) && !Construct.isConstruct(value);

function checkConfig(config: Literal, { attributes, computed }: Defined, found: InputErrors): Literal {
  const known = attributesIn(attributes);
  const names = [...attributes.map((one) => one.name), ...computed];
  return mapped(config, (value, name) => {
    const attribute = known.get(name);
    if (!attribute) {
      if (value !== undefined && !isMetaArgument(name)) found.errors.push(unknownAttribute(name, "", attributes));
      const meta = isMetaArgument(name) ? metaArguments[name] : undefined;
      const problems = meta ? problemsOfMetaArgument(value, name, meta, names) : [];
      found.errors.push(...problems);
      return problems.length > 0 ? undefined : value;
    }
    const before = found.errors.length;
    const accepted = acceptedPart(value, attribute, name, found.errors);
    const isReported = found.errors.length > before && (accepted === undefined || attribute.shape.kind === "object");
    if (isReported) found.refused.push(attribute.name);
    return accepted;
  });
}

type Asked = Pick<Attribute, "shape" | "sensitive">;

const misfit = (place: string, value: unknown, noun: string, sensitive = false) =>
  `\`${place}\` is ${shown(value, sensitive)}: ${typeof value === "function" ? "call it, to " : ""}give ${noun}.`;

/** Returns the same value if all of it is fit, because authors may change their lists later. */
function acceptedPart(value: unknown, { shape, sensitive }: Asked, place: string, errors: string[]): unknown {
  if (!isPresent(value)) return undefined;
  const refuse = (noun: string) => void errors.push(misfit(place, value, noun, sensitive));
  if (Construct.isConstruct(value)) return refuse("one of its attributes, such as its `id`");
  if (!isFit(value, shape)) return refuse(nounOf(shape));
  // The generated class would read the methods of the text as attributes.
  if (shape.kind === "object" && typeof value === "string") return Token.asAny(value);
  if (shape.kind === "object" && isLiteral(value)) {
    const known = attributesIn(shape.attributes);
    const parts = Object.values(value);
    if (parts.length > 0 && parts.every((part) => typeof part === "function")) {
      const names = Object.keys(value).join(", ");
      errors.push(`\`${place}\` has only the functions ${names}: call one of them, and give what it returns.`);
      return undefined;
    }
    return mapped(value, (inner, name) => {
      const attribute = known.get(name);
      if (attribute) return acceptedPart(inner, attribute, `${place}.${name}`, errors);
      if (inner !== undefined) errors.push(unknownAttribute(name, `${place}.`, shape.attributes));
      return inner;
    });
  }
  /** The generated class would drop an element that is undefined. */
  const present = (inner: unknown, element: Shape, at: string) => {
    if (isPresent(inner)) return acceptedPart(inner, { shape: element, sensitive }, at, errors);
    // The library's class of a provider cannot write null in a list.
    errors.push(
      inner === null && shape.kind !== "map"
        ? misfit(at, inner, nounOf(element))
        : `\`${at}\` is ${inner} and would be dropped: give a value, or remove it.`,
    );
    return undefined;
  };
  if (shape.kind === "map" && isLiteral(value)) {
    return mapped(value, (inner, key) => present(inner, shape.element, `${place}[${JSON.stringify(key)}]`));
  }
  if ((shape.kind === "list" || shape.kind === "set") && Array.isArray(value)) {
    // The list may have holes, which only a loop over the indexes visits.
    const accepted = Array.from(value, (inner, index) => present(inner, shape.element, `${place}[${index}]`));
    return accepted.every((inner, index) => inner === value[index])
      ? value
      : accepted.filter((one) => one !== undefined);
  }
  return value;
}

/** Whether the generated class can take the value. */
function isFit(value: unknown, { kind }: Shape): boolean {
  if (typeof value === "function" || [Promise, Set, Map].some((type) => value instanceof type)) return false;
  if (isReference(value)) return true;
  if (kind === "primitive") return ["string", "number", "boolean"].includes(typeof value);
  if (typeof value !== "object") return false;
  return kind === "list" || kind === "set" ? !isLiteral(value) : !Array.isArray(value);
}

/** What only the file shows: unknown names in overrides, where Terraform's own arguments are known, and references in place of blocks. */
export function problemsInFile(inFile: Plain, attributes: readonly Attribute[], above = ""): string[] {
  return Object.entries(inFile).flatMap(([name, value]) => {
    const attribute = attributes.find((one) => one.name === name);
    if (!attribute) {
      const names = attributes.map((one) => one.name);
      const isKnown = name === "dynamic" || (above === "" && isInEveryBlock(name));
      return isKnown ? [] : [problemOfName(name, above, names)];
    }
    const { shape, block } = attribute;
    const inner = "element" in shape ? shape.element : shape;
    if (inner.kind !== "object") return [];
    return (Array.isArray(value) ? value : [value]).flatMap((part, index) => {
      const place = `${above}${name}`;
      if (isLiteral(part)) return problemsInFile(part, inner.attributes, `${place}.`);
      if (!block || !isReference(part)) return [];
      const property = place.split(".").map(propertyName).join(".");
      const [at, noun] = part === value ? ["", nounOf(shape)] : [`[${index}]`, nounOf(inner)];
      return [misfit(property + at, part, `${noun}, because Terraform takes no reference for a block`)];
    });
  });
}

const isInEveryBlock = (name: string) => isMetaArgument(propertyName(name)) || ["//", "provisioner"].includes(name);

/** What is probably meant: the same name in another object, a near name, the same fact of a request, or an argument of every construct. */
function unknownAttribute(name: string, above: string, attributes: readonly Attribute[]): string {
  const names = [...attributesIn(attributes).keys()];
  const property = propertyName(name);
  const holder = attributes.find(
    ({ shape }) => shape.kind === "object" && attributesIn(shape.attributes).has(property),
  );
  const facts = Object.entries(factTable).map(([fact, { criteria, list }]) => [
    fact,
    list.name,
    ...Object.keys(criteria),
  ]);
  const same = facts.map((one) => one.map(propertyName)).find((one) => one.includes(property));
  const likely = holder
    ? `${propertyName(holder.name)}.${property}`
    : (nearest(name, names) ??
      same?.find((one) => names.includes(one)) ??
      (above === "" ? nearest(name, Object.keys(metaArguments)) : undefined));
  return problemOfName(name, above, names, likely);
}

export function problemOfName(
  name: string,
  above: string,
  names: readonly string[],
  likely = nearest(name, names),
): string {
  const hint = likely === undefined ? "" : `; \`${above}${likely}\` is probably meant`;
  return `\`${above}${name}\` is unknown. Known are ${names.join(", ") || "none"}${hint}.`;
}

function mapped(value: Literal, of: (inner: unknown, name: string) => unknown): Literal {
  const entries = Object.entries(value).map(([name, inner]) => [name, of(inner, name)] as const);
  return entries.every(([name, inner]) => inner === value[name]) ? value : Object.fromEntries(entries);
}

const byName = new WeakMap<readonly Attribute[], ReadonlyMap<string, Attribute>>();

/** By the names of the constructs; computed once. */
function attributesIn(attributes: readonly Attribute[]): ReadonlyMap<string, Attribute> {
  const found =
    byName.get(attributes) ?? new Map(attributes.map((attribute) => [propertyName(attribute.name), attribute]));
  byName.set(attributes, found);
  return found;
}

// The arguments of every construct of the library. It drops a value of another form, fails on it at synth, or writes it so that Terraform refuses
// the file without the line of the program.

interface MetaArgument {
  readonly noun: string;
  readonly fits: (value: unknown, names: readonly string[]) => boolean;
  readonly isList?: true;
  /** The value that stands for every list. */
  readonly whole?: string;
  /** The arguments in the object. */
  readonly inner?: Readonly<Record<string, MetaArgument>>;
}

const isBoolean = (value: unknown) => typeof value === "boolean";
const yesOrNo: MetaArgument = { noun: "true or false", fits: isBoolean };
const condition: MetaArgument = {
  noun: "an object with a `condition` that is a reference, and an `errorMessage`",
  fits: (value) => isLiteral(value) && isReference(value["condition"]) && typeof value["errorMessage"] === "string",
  isList: true,
};

const lifecycle: Readonly<Record<string, MetaArgument>> = {
  createBeforeDestroy: yesOrNo,
  ignoreChanges: {
    noun: "an attribute of the construct, in Terraform's names",
    fits: (value, names) => names.some((name) => name === /^\w+/.exec(String(value))?.[0]),
    isList: true,
    whole: "all",
  },
  postcondition: condition,
  precondition: condition,
  preventDestroy: yesOrNo,
  // The library would write a construct and a token as a template, which Terraform does not read here.
  replaceTriggeredBy: {
    noun: "the address of a resource as a text, such as `tenant_network_acl.office`",
    fits: (value) => typeof value === "string" && /^(?!(?:data|local|var)\.)[a-z][\w-]*\.\w/i.test(value),
    isList: true,
  },
};

const metaArguments: Readonly<Record<string, MetaArgument>> = {
  alias: { noun: "a string", fits: (value) => typeof value === "string" },
  connection: { noun: "an object", fits: isObject },
  count: { noun: "a whole number from 0, or a TerraformCount", fits: isCount },
  dependsOn: { noun: "a resource, a data source or a module", fits: isDependable, isList: true },
  forEach: { noun: "a TerraformIterator", fits: (value) => isObject(value) && "_getForEachExpression" in value },
  lifecycle: { noun: "an object", fits: isLiteral, inner: lifecycle },
  provider: { noun: "a TenantProvider", fits: (value) => Construct.isConstruct(value) && isTenantProvider(value) },
  provisioners: { noun: "an object", fits: isObject, isList: true },
  ship: yesOrNo,
};

const isMetaArgument = (name: string): boolean => Object.hasOwn(metaArguments, name);

function problemsOfMetaArgument(
  value: unknown,
  place: string,
  { noun, fits, isList, whole, inner }: MetaArgument,
  names: readonly string[],
): string[] {
  if (!isPresent(value) || (whole !== undefined && value === whole)) return [];
  if (isList && !Array.isArray(value)) return [misfit(place, value, whole ? `a list, or "${whole}"` : "a list")];
  if (isList)
    return Array.from(value as unknown[]).flatMap((one, at) =>
      fits(one, names) ? [] : [misfit(`${place}[${at}]`, one, noun)],
    );
  if (!fits(value, names)) return [misfit(place, value, noun)];
  return Object.entries(inner ? (value as Literal) : {}).flatMap(([name, one]) => {
    const known = Object.hasOwn(inner!, name) ? inner![name] : undefined;
    if (!known) return [problemOfName(name, `${place}.`, Object.keys(inner!))];
    return problemsOfMetaArgument(one, `${place}.${name}`, known, names);
  });
}

export const isReference = (value: unknown): boolean =>
  Token.isUnresolved(value) || (typeof value === "string" && value.includes("${"));

function isLiteral(value: unknown): value is Literal {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !Token.isUnresolved(value);
}

function isCount(value: unknown): boolean {
  if (isReference(value) || TerraformCount.isTerraformCount(value)) return true;
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}

/** The library reads the address of the object, which neither a group of constructs nor a text has. */
function isDependable(value: unknown): boolean {
  return isObject(value) && "fqn" in value && !TerraformProvider.isTerraformProvider(value);
}

/** A construct refers to its whole tree, and other objects of the library to constructs. */
export function shown(value: unknown, sensitive = false): string {
  if (Construct.isConstruct(value)) return `the construct ${value.node.path}`;
  if (Token.isUnresolved(value)) return "a token";
  if (typeof value === "bigint" || typeof value === "symbol") return sensitive ? "(sensitive)" : String(value);
  if (value instanceof Date) return "a Date";
  try {
    return show(value, sensitive);
  } catch {
    return Array.isArray(value) ? `a list of ${value.length}` : "an object that refers to itself";
  }
}
