/**
 * The arguments that every construct of the library has, such as `dependsOn`. The library drops a value of another form, fails on it at synth,
 * or writes it so that Terraform refuses the file without the line of the program.
 */
import { TerraformCount, TerraformProvider, Token } from "cdktf";
import { Construct } from "constructs";
import { show } from "../provider/sdk/check";
import { nearest } from "../formats/text/nearest";
import { propertyName } from "./naming";
import { isTenantProvider } from "./tenant";

/** The problems of a value at its place. */
type Check = (value: unknown, place: string) => string[];

const metaArguments: ReadonlyMap<string, Check> = new Map([
  ["alias", is("a string", (value) => typeof value === "string")],
  ["connection", is("an object", isObject)],
  ["count", is("a whole number from 0, or a TerraformCount", isCount)],
  ["dependsOn", listOf(is("a resource, a data source or a module", isDependable))],
  ["forEach", is("a TerraformIterator", (value) => isObject(value) && "_getForEachExpression" in value)],
  ["lifecycle", lifecycle],
  ["provider", is("a TenantProvider", (value) => Construct.isConstruct(value) && isTenantProvider(value))],
  ["provisioners", listOf(is("an object", isObject))],
]);

export const problemsOfMetaArgument: Check = (value, name) =>
  value === undefined || value === null ? [] : (metaArguments.get(name)?.(value, name) ?? []);

export const isMetaArgument = (name: string): boolean => metaArguments.has(name);

export const isReference = (value: unknown): boolean =>
  Token.isUnresolved(value) || (typeof value === "string" && value.includes("${"));

export const isLiteral = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** A construct refers to its whole tree, and other objects of the library to constructs. */
export function shown(value: unknown, sensitive = false): string {
  if (Construct.isConstruct(value)) return `the construct ${value.node.path}`;
  if (Token.isUnresolved(value)) return "a token";
  try {
    return show(value, sensitive);
  } catch {
    return Array.isArray(value) ? `a list of ${value.length}` : "an object that refers to itself";
  }
}

/** `other`: what may be intended if no known name is near. */
export function unknownName(name: string, above: string, names: readonly string[], other?: string): string {
  const near = nearest(propertyName(name), names) ?? other;
  const hint = near === undefined ? "" : `; \`${above}${near}\` is probably meant`;
  return `\`${above}${name}\` is unknown. Known are ${names.join(", ")}${hint}.`;
}

function is(noun: string, isRight: (value: unknown) => boolean): Check {
  return (value, place) => (isRight(value) ? [] : [`\`${place}\` is ${shown(value)}: give ${noun}.`]);
}

function listOf(element: Check): Check {
  const list = is("a list", Array.isArray);
  return (value, place) =>
    Array.isArray(value) ? value.flatMap((one, index) => element(one, `${place}[${index}]`)) : list(value, place);
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

function lifecycle(value: unknown, place: string): string[] {
  if (!isLiteral(value)) return is("an object", isLiteral)(value, place);
  return Object.entries(value).flatMap(([name, part]) => {
    const check = Object.hasOwn(ofLifecycle, name) ? ofLifecycle[name] : undefined;
    if (!check) return [unknownName(name, "lifecycle.", Object.keys(ofLifecycle))];
    return part === undefined || part === null ? [] : check(part, `lifecycle.${name}`);
  });
}

const boolean = is("true or false", (value) => typeof value === "boolean" || isReference(value));
const conditions = listOf(is("an object with condition and errorMessage", isLiteral));
const ignored = is("attributes in Terraform's names", isAttribute);

const ofLifecycle: Readonly<Record<string, Check>> = {
  createBeforeDestroy: boolean,
  ignoreChanges: (value, place) => {
    const all = is('"all", or a list of attributes', (one) => one === "all" || Array.isArray(one))(value, place);
    return Array.isArray(value) ? listOf(ignored)(value, place) : all;
  },
  postcondition: conditions,
  precondition: conditions,
  preventDestroy: boolean,
  replaceTriggeredBy: listOf(
    is("a resource, or its address", (value) => typeof value === "string" || isDependable(value)),
  ),
};

/** The library does not change the names here, and Terraform's have no capitals, unlike keys of a map. */
function isAttribute(value: unknown): boolean {
  return typeof value === "string" && (isReference(value) || !/[A-Z]/.test(value.replace(/\["[^"]*"\]/g, "")));
}
