/** Reads a state file of Terraform. Anybody may have written it, so each part of an address must have the form of one. */
import { isRecord } from "../../formats/text/record";
import { readFileSync } from "node:fs";
import { excerpt, isPrintable } from "../../formats/text/printable";
import { unreadFile, UserError } from "../../formats/text/user-error";
import { hclText } from "./escape";

/** An object in a state. */
export interface Instance {
  readonly type: string;
  readonly name: string;
  readonly module?: string;
  readonly key?: string | number;
  /** Address of the resource in the configuration, without keys of modules. `address` is the address of the instance. */
  readonly resource: string;
  readonly address: string;
  readonly attributes: Fields;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The managed objects of these types. Throws an UserError if the text is not a state, or if an address has an impossible part. */
export function instancesIn(text: string, file: string, types: readonly string[]): Instance[] {
  const state = parsed(text, file);
  if (!isRecord(state) || state.version !== 4) {
    throw new UserError(`${file} is not a state of Terraform 0.12 or newer, or of OpenTofu.`);
  }
  return fieldsIn(state.resources, "resources", file).flatMap((resource, index) => {
    if (resource.mode !== "managed" || !types.includes(resource.type as string)) return [];
    return instancesOf(resource, `${file}: resources[${index}]`);
  });
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UserError(`${file} cannot be read as a state: ${(error as Error).message}`);
  }
}

/** Throws an UserError. */
export function textOfState(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw unreadFile(file, error, "give a state");
  }
}

/** As HCL has identifiers. */
const identifier = /^[\p{ID_Start}_][\p{ID_Continue}-]*$/u;
/** A step of a module's address. Terraform writes a key in quotation marks, with escapes of its own and no template. */
const step =
  /^module\.[\p{ID_Start}_][\p{ID_Continue}-]*(?:\[(?:\d+|"(?:[^"\\$%]|\\["\\nrt]|\$\$\{|%%\{|[$%](?!\{))*")\])?(?=\.|$)/u;

function instancesOf({ type, name, module, instances }: Fields, place: string): Instance[] {
  if (typeof name !== "string" || !identifier.test(name))
    throw impossible(`${place}.name`, name, "a name of Terraform");
  if (module !== undefined && !isModule(module)) throw impossible(`${place}.module`, module, "the address of a module");
  const resource = `${module === undefined ? "" : `${module}.`}${String(type)}.${name}`;
  return fieldsIn(instances, "instances", place).flatMap((instance, index): Instance[] => {
    const { index_key: key, deposed, attributes } = instance;
    if (deposed !== undefined || !isRecord(attributes)) return [];
    if (!isKey(key)) throw impossible(`${place}.instances[${index}].index_key`, key, "the key of an instance");
    const address = key === undefined ? resource : `${resource}[${typeof key === "number" ? key : hclText(key)}]`;
    const block = `${withoutKeys(module ?? "")}${String(type)}.${name}`;
    return [{ type: String(type), name, module, key, resource: block, address, attributes }];
  });
}

/** `module.users["x"].module.a` as the configuration has it: `module.users.module.a.` */
function withoutKeys(module: string): string {
  const [first] = step.exec(module) ?? [];
  return first === undefined ? "" : `${first.replace(/\[.*$/s, "")}.${withoutKeys(module.slice(first.length + 1))}`;
}

const longestPath = 10_000;

function isModule(path: unknown): path is string {
  if (typeof path !== "string" || path.length > longestPath || !isPrintable(path)) return false;
  const [first] = step.exec(path) ?? [];
  return first !== undefined && (first === path || isModule(path.slice(first.length + 1)));
}

/** A text for `for_each`, a number for `count`. */
function isKey(key: unknown): key is string | number | undefined {
  if (typeof key === "number") return Number.isSafeInteger(key) && key >= 0;
  return key === undefined || (typeof key === "string" && isPrintable(key));
}

function fieldsIn(list: unknown, what: string, place: string): Fields[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list) || !list.every(isRecord))
    throw new UserError(`${place}: \`${what}\` is not a list of objects.`);
  return list;
}

function impossible(place: string, value: unknown, what: string): UserError {
  return new UserError(
    `${place} is ${shown(value)}, which cannot be ${what}. Terraform writes no such state: check where the file comes from. ` +
      "Nothing was written.",
  );
}

/** Characters of a value in a message. */
const most = 200;

const shown = (value: unknown) => excerpt(JSON.stringify(value) ?? "missing", most);
