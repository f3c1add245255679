/** Makes the reference of the constructs from the comments and the types of what they export. */
import path from "node:path";
import ts from "typescript";
import { filled, tableOf } from "./reference";

/** `entry`: the file with the public exports. `prose`: the folder with the rest of the page. */
export function constructsPage(entry: string, prose: string) {
  const program = ts.createProgram([entry], {
    strict: true,
    module: ts.ModuleKind.CommonJS,
    lib: ["lib.es2023.d.ts"],
    types: ["node"],
  });
  return filled("guides/constructs.md", prose, { exports: sectionsOf(program, path.dirname(entry)).join("\n\n") });
}

/** Of classes, functions and objects. The page lists the data sources. */
function sectionsOf(program: ts.Program, folder: string): string[] {
  const checker = program.getTypeChecker();
  const entry = program.getSourceFile(path.join(folder, "index.ts"))!;
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(entry)!);
  const own = exported.flatMap((symbol) => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const isValue = Boolean(target.flags & ts.SymbolFlags.Value);
    return isValue && !symbol.name.startsWith("Data") && docOf(target, checker) !== "" ? [target] : [];
  });
  const fence = fenceFor(new Set(own.map(({ name }) => name)));
  return own.map((symbol) => {
    const type = checker.getTypeOfSymbol(symbol);
    const [construction] = type.getConstructSignatures();
    const config = construction?.parameters[2];
    // The page of the provider has the properties that are generated.
    const isProvider = symbol.name === "TenantProvider";
    const declared = isProvider ? path.join(folder, "tenant-provider") : folder;
    const rows = config ? rowsOf(checker.getTypeOfSymbol(config), { checker, folder: declared }) : [];
    const parts = config
      ? [
          fence(examplesOf(symbol, checker).slice(0, 1)),
          isProvider ? settings : "",
          rowsTable(rows),
          membersOf(symbol, checker),
        ]
      : [fence([callsOf(type, checker), examplesOf(symbol, checker)].find((lines) => lines.length > 0)!)];
    return [`### \`${symbol.name}\``, docOf(symbol, checker), ...parts].filter(Boolean).join("\n\n");
  });
}

const settings =
  "The [arguments of the provider](../index.md#schema) are its properties, in camel case: `allowedDomains`, and `protectedRequest` as a list. It also takes:";

export const docOf = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/g, " ").trim();

const examplesOf = (symbol: ts.Symbol, checker: ts.TypeChecker) =>
  symbol
    .getJsDocTags(checker)
    .flatMap(({ name, text }) => (name === "example" ? [ts.displayPartsToString(text).trim()] : []));

/** A program with what the lines use. */
function fenceFor(names: ReadonlySet<string>): (lines: readonly string[]) => string {
  return (lines) => {
    const body = lines.join("\n");
    const used = [...new Set(body.match(/\b\w+\b/g))];
    const ours = used.filter((name) => names.has(name)).toSorted();
    const stack = body.includes("(stack, ") ? ["App", "TerraformStack"] : [];
    const theirs = [...stack, ...used.filter((name) => name === "TerraformVariable")];
    return [
      "```ts",
      ...(theirs.length > 0 ? [`import { ${theirs.join(", ")} } from "cdktf";`] : []),
      `import { ${ours.join(", ")} } from "tenantform";`,
      "",
      ...(stack.length > 0 ? ['const stack = new TerraformStack(new App(), "tenant");'] : []),
      body,
      "```",
    ].join("\n");
  };
}

/** Each method of an object, or of what a function returns, with its comment and its example. */
function callsOf(type: ts.Type, checker: ts.TypeChecker): string[] {
  const [call] = type.getCallSignatures();
  const methods = checker.getPropertiesOfType(call ? call.getReturnType() : type);
  return methods.flatMap((method) => {
    const [signature] = checker.getTypeOfSymbol(method).getCallSignatures();
    const [example] = examplesOf(method, checker);
    if (!signature || example === undefined) return [];
    const lines = [`// ${docOf(method, checker)}`, `${example.replace(/^\w+: /, "")};`];
    return call ? [...lines, ...callsOf(signature.getReturnType(), checker)] : lines;
  });
}

interface Row {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly text: string;
}

interface Looking {
  readonly checker: ts.TypeChecker;
  readonly folder: string;
}

/** The properties, without those of every resource. A required object has rows for its own properties. */
function rowsOf(type: ts.Type, looking: Looking, before = ""): Row[] {
  const { checker, folder } = looking;
  const properties = checker
    .getPropertiesOfType(type)
    .filter(({ declarations = [] }) => declarations.some((one) => one.getSourceFile().fileName.startsWith(folder)));
  const rows = properties.map((property): Row[] => {
    const isRequired = !(property.flags & ts.SymbolFlags.Optional);
    const whole = checker.getNonNullableType(checker.getTypeOfSymbol(property));
    const element = elementOf(whole, checker);
    const row = { name: before + property.name, isRequired, text: docOf(property, checker) };
    const name = kindOf(element ?? whole, checker);
    const inner =
      isRequired && before === "" && name === "object"
        ? rowsOf(element ?? whole, looking, `${row.name}${element ? "[]" : ""}.`)
        : [];
    return [{ ...row, type: element ? `${name}[]` : name }, ...inner];
  });
  return rows.toSorted(([one], [other]) => Number(other!.isRequired) - Number(one!.isRequired)).flat();
}

const elementOf = (type: ts.Type, checker: ts.TypeChecker) =>
  parts(type).flatMap((one) => (checker.isArrayType(one) ? checker.getTypeArguments(one as ts.TypeReference) : []))[0];

const parts = (type: ts.Type): readonly ts.Type[] =>
  (type.isUnion() ? type.types : [type]).filter(({ symbol }) => symbol?.name !== "IResolvable");

function kindOf(type: ts.Type, checker: ts.TypeChecker): string {
  const kinds = parts(type).map((one) => {
    const text = checker.typeToString(checker.getBaseTypeOfLiteralType(one));
    if (/^(string|number|boolean)$/.test(text)) return text;
    return text.includes("string & {}") || one.flags & ts.TypeFlags.StringLike ? "string" : "object";
  });
  return [...new Set(kinds)].join(" or ");
}

function rowsTable(rows: readonly Row[]): string {
  const lines = rows.map(({ name, type, isRequired, text }) => {
    const [stated = "", value = ""] = / ?Default: (.+?)\.(?= |$)/.exec(text) ?? [];
    return [`\`${name}\``, type, isRequired ? "required" : value, text.replace(stated, "").trim()];
  });
  return tableOf(["property", "type", "default", "what it does"], lines);
}

/** What the class itself adds to the library's classes. */
function membersOf(symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const isPublic = ({ valueDeclaration: at }: ts.Symbol) =>
    !at || !(ts.getCombinedModifierFlags(at) & ts.ModifierFlags.Private);
  const members = [...(symbol.members?.values() ?? [])].filter((one) => isPublic(one) && docOf(one, checker) !== "");
  const lines = members.map((one) => {
    const [call] = checker.getTypeOfSymbol(one).getCallSignatures();
    const given = call ? `(${call.parameters.map(({ name }) => name).join(", ")})` : "";
    return `- \`${one.name}${given}\`: ${docOf(one, checker)}`;
  });
  return lines.join("\n");
}
