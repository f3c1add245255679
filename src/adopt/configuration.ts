/** What a file of a configuration declares of ours, in whichever language it is written. */

export interface Reading {
  /** Resource type and name. */
  readonly names: readonly (readonly [type: string, name: string])[];
  /** Of local values. */
  readonly locals: readonly string[];
  /** The text in which an id, in quotation marks, declares an object; comments too, as what is refused stands in one. */
  readonly declaring: string;
  /** The same of keys, which rules name without declaring them. */
  readonly importing: string;
  readonly imports: readonly Import[];
}

interface Import {
  /** Of the resource. */
  readonly type: string;
  readonly id: string;
  readonly line: number;
}

/** By the name of a file; none for what is no configuration, such as a saved plan or a state. */
export function readerFor(file: string): ((text: string) => Reading) | undefined {
  if (/\.(tf|tofu)$/.test(file)) return inHcl;
  if (/\.(tf|tofu)\.json$/.test(file)) return inJson;
  return /(?<!\.d)\.[cm]?[jt]s$/.test(file) ? inProgram : undefined;
}

/** The type in an address of ours, be it in a module. */
function ownType(address = ""): string | undefined {
  return /^(?:module\.[\w-]+(?:\[[^\]]*\])?\.)*(tenant_\w+)\./.exec(address)?.[1];
}

/** Members go behind the id of an organization. */
const bare = (id: string) => id.replace(/:.*$/s, "");

/** Tells the line of a place; they are asked for in the order of the text. */
function lineCounter(text: string): (index: number) => number {
  let line = 1;
  let next = text.indexOf("\n");
  return (index) => {
    for (; next >= 0 && next < index; line++) next = text.indexOf("\n", next + 1);
    return line;
  };
}

const blocks = /^([ \t]*(?:# ?)?)(import|resource\s+"tenant_\w+"\s+"[\w-]+")\s*\{[^]*?^\1\}/gm;

function inHcl(text: string): Reading {
  const lineOf = lineCounter(text);
  const resources: string[] = [];
  const importing: string[] = [];
  const imports: Import[] = [];
  for (const { 0: block, 1: mark = "", 2: kind, index } of text.matchAll(blocks)) {
    const type = ownType(/^[\s#]*to\s*=\s*(.*)$/m.exec(block)?.[1]);
    if (kind !== "import") resources.push(block);
    else if (type !== undefined) importing.push(block);
    if (kind !== "import" || type === undefined || mark.includes("#")) continue;
    for (const { 1: id, index: within } of block.matchAll(/\b(?:id|organization_id)\s*=\s*"([^"$]+)/g)) {
      imports.push({ type, id: bare(id!), line: lineOf(index + within) });
    }
  }
  const refused = text.match(/^# .*"(acl|rlp|org)_.*$/gm) ?? [];
  return {
    names: [...text.matchAll(/^\s*resource\s+"(\w+)"\s+"([\w-]+)"/gm)].map(([, type, name]) => [type!, name!]),
    locals: [...text.matchAll(/^\s+(\w+)\s+= /gm)].map(([, name]) => name!),
    declaring: [...resources, ...importing, ...refused].join("\n"),
    importing: importing.join("\n"),
    imports,
  };
}

interface JsonConfiguration {
  readonly resource?: Readonly<Record<string, object>>;
  readonly import?: ImportEntry | readonly ImportEntry[];
  readonly locals?: object;
}

interface ImportEntry {
  readonly to?: string;
  readonly id?: string;
  readonly identity?: Readonly<Record<string, string>>;
}

function inJson(text: string): Reading {
  const { resource = {}, import: entries = [], locals = {} } = parsed(text);
  const own = [entries].flat().filter(({ to }) => ownType(to) !== undefined);
  const resources = Object.entries(resource);
  const lines = linesIn(text);
  const importing = JSON.stringify(own);
  return {
    names: resources.flatMap(([type, named]) => Object.keys(named).map((name) => [type, name] as const)),
    locals: Object.keys(locals),
    declaring: importing + JSON.stringify(resources.filter(([type]) => type.startsWith("tenant_"))),
    importing,
    imports: own.flatMap(({ to, id, identity }) =>
      Object.values({ id, ...identity }).flatMap((one) =>
        one === undefined ? [] : [{ type: ownType(to)!, id: bare(one), line: lines.get(one) ?? 1 }],
      ),
    ),
  };
}

function parsed(text: string): JsonConfiguration {
  try {
    return (JSON.parse(text) as JsonConfiguration | null) ?? {};
  } catch {
    return {};
  }
}

/** Where each text stands first. */
function linesIn(json: string): Map<string, number> {
  const lines = new Map<string, number>();
  json.split("\n").forEach((line, index) => {
    for (const [, text] of line.matchAll(/"([^"\\]+)"/g)) if (!lines.has(text!)) lines.set(text!, index + 1);
  });
  return lines;
}

const makes = /(?:([\w$.]+)\s*(?::[^=;\n]+)?=\s*)?\bnew ([\w.]+)\(/;
const importsOne = /([\w$.]*)\s*\.importFrom\(\s*["'`]([^"'`$]+)/;
const calls = new RegExp(`${makes.source}|${importsOne.source}`, "g");

/** TypeScript or JavaScript. What imports is a call in a chain with what was made last, or one on a variable. */
function inProgram(text: string): Reading {
  const program = text.replace(/^[ \t]*\/\/.*$/gm, "");
  const own = ownClasses(program);
  const lineOf = lineCounter(program);
  const classes = new Map<string, string>();
  let last = "";
  const imports: Import[] = [];
  for (const { 0: call, 1: assigned, 2: made, 3: variable, 4: id, index } of program.matchAll(calls)) {
    if (made !== undefined) {
      last = made;
      if (assigned !== undefined) classes.set(assigned, made);
      continue;
    }
    const type = own.get(variable ? (classes.get(variable) ?? "") : last);
    if (type !== undefined) imports.push({ type, id: bare(id!), line: lineOf(index + call.length) });
  }
  return {
    names: [...text.matchAll(/\bnew (\w+)\(\s*\w+,\s*"([\w-]+)"/g)].map(([, made, name]) => [typeOf(made!), name!]),
    locals: [],
    declaring: text,
    importing: (text.match(/importFrom\([^)]*\)/g) ?? []).join("\n"),
    imports,
  };
}

const constructs = ["NetworkAcl", "RateLimitPolicy", "OrganizationMemberSet", "NetworkAclKey"];
const fromOurs = String.raw`(?:from\s*|=\s*require\(\s*)["']tenantform(?:/cdkt[fn])?["']`;
const someOfOurs = new RegExp(String.raw`\{([^{}]*)\}\s*${fromOurs}`, "g");
const allOfOurs = new RegExp(String.raw`(\w+)\s*${fromOurs}`, "g");

/** Our types by what the program calls them: another package may have a class of the same name. */
function ownClasses(program: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, list = ""] of program.matchAll(someOfOurs)) {
    for (const [, name, alias] of list.matchAll(/(\w+)(?:\s*(?:\bas\b|:)\s*(\w+))?/g)) {
      if (constructs.includes(name!)) found.set(alias ?? name!, typeOf(name!));
    }
  }
  for (const [, all] of program.matchAll(allOfOurs)) {
    for (const name of constructs) found.set(`${all}.${name}`, typeOf(name));
  }
  return found;
}

/** NetworkAcl -> tenant_network_acl. */
function typeOf(construct: string): string {
  return `tenant${construct.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
}
