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
const identifier = String.raw`[\p{ID_Start}_][\p{ID_Continue}-]*`;
/** Terraform writes a text in quotation marks, with escapes of its own and no template. */
const key = String.raw`\[(?:\d+|"(?:[^"\\$%]|\\["\\nrt]|\$\$\{|%%\{|[$%](?!\{))*")\]`;
const step = String.raw`module\.${identifier}(?:${key})?`;
const forms = {
  name: new RegExp(`^${identifier}$`, "u"),
  module: new RegExp(`^${step}(?:\\.${step})*$`, "u"),
  keys: new RegExp(key, "gu"),
};

function instancesOf({ type, name, module, instances }: Fields, place: string): Instance[] {
  if (typeof name !== "string" || !forms.name.test(name))
    throw impossible(`${place}.name`, name, "a name of Terraform");
  if (module !== undefined && !isModule(module)) throw impossible(`${place}.module`, module, "the address of a module");
  const resource = `${module === undefined ? "" : `${module}.`}${String(type)}.${name}`;
  const block = resource.replace(forms.keys, "");
  return fieldsIn(instances, "instances", place).flatMap((instance, index): Instance[] => {
    const { index_key: own, deposed, attributes } = instance;
    if (deposed !== undefined || !isRecord(attributes)) return [];
    if (!isKey(own))
      throw impossible(`${place}.instances[${index}].index_key`, own, "the key of an instance", unprintable);
    const address = own === undefined ? resource : `${resource}[${typeof own === "number" ? own : hclText(own)}]`;
    return [{ type: String(type), name, module, key: own, resource: block, address, attributes }];
  });
}

const longestPath = 10_000;

const isModule = (path: unknown): path is string =>
  typeof path === "string" && path.length <= longestPath && isPrintable(path) && forms.module.test(path);

/** A text for `for_each`, a number for `count`. */
function isKey(own: unknown): own is string | number | undefined {
  if (typeof own === "number") return Number.isSafeInteger(own) && own >= 0;
  return own === undefined || (typeof own === "string" && isPrintable(own));
}

function fieldsIn(list: unknown, what: string, place: string): Fields[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list) || !list.every(isRecord))
    throw new UserError(`${place}: \`${what}\` is not a list of objects.`);
  return list;
}

const foreign = "Terraform writes no such state: check where the file comes from.";
const unprintable =
  "A key is a number, or a text with visible characters only: give the instance another key, or adopt it from the tenant.";

const impossible = (place: string, value: unknown, what: string, why = foreign) =>
  new UserError(`${place} is ${shown(value)}, which cannot be ${what}. ${why} Nothing was written.`);

/** Characters of a value in a message. */
const most = 200;

const shown = (value: unknown) => excerpt(JSON.stringify(value) ?? "missing", most);
