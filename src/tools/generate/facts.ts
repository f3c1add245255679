/** Makes the tables of `facts` in the JSON of a review, from the types of what the review writes and their comments. */
import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { grouped } from "../../judge/impact/model";
import { docOf } from "./construct-page";
import { type Page, tableOf } from "./reference";

/** `writer`: the file with `factsJson`. `docs`: the folder with the page, whose tables this replaces. */
export function factsPage(writer: string, docs: string): Page {
  const program = ts.createProgram([writer], { strict: true, lib: ["lib.es2023.d.ts"], types: ["node"] });
  const checker = program.getTypeChecker();
  const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(writer)!)!);
  const [call] = checker.getTypeOfSymbol(exported.find(({ name }) => name === "factsJson")!).getCallSignatures();
  const kinds = grouped(variantsOf(call!.getReturnType()), (one) =>
    textOf(checker.getTypeOfSymbol(one.getProperty("kind")!), checker),
  );
  /** The types that the lines name. They get lines of their own. */
  const named = new Map<string, ts.Type>();
  const ofKinds = [...kinds].map(([kind, types]) => {
    const properties = types.flatMap((type) => type.getProperties()).filter((one) => one.name !== "kind");
    return linesOf(`\`${kind.slice(1, -1)}\``, properties, checker, named);
  });
  const ofTypes: string[][] = [];
  for (const [name, type] of named) {
    const properties = variantsOf(type).flatMap((one) => one.getProperties());
    ofTypes.push(...linesOf(`\`${name}\``, properties, checker, named));
  }
  const tables = [
    tableOf(
      ["`kind`", "property", "type and meaning"],
      ofKinds.toSorted(([a], [b]) => (a![0]! < b![0]! ? -1 : 1)).flat(),
    ),
    tableOf(["type", "property", "type and meaning"], ofTypes),
  ];
  const page = readFileSync(path.join(docs, "guides/review-reference.md"), "utf8");
  const text = page.replace(/(?<=<!-- facts -->\n)[^]*(?=\n<!-- end of facts -->)/, () => `\n${tables.join("\n\n")}\n`);
  return { file: "guides/review-reference.md", text };
}

/** The properties of one name in several forms of a kind are one line. */
function linesOf(
  title: string,
  properties: readonly ts.Symbol[],
  checker: ts.TypeChecker,
  named: Map<string, ts.Type>,
): string[][] {
  const cells = [...grouped(properties, (one) => one.name)].flatMap(([property, all]) => {
    const own = all.map((one) => checker.getTypeOfSymbol(one));
    for (const one of own) collect(one, checker, named);
    const texts = [...new Set(own.map((one) => textOf(one, checker)))];
    const type = texts.filter((text) => !texts.some((other) => other.startsWith(`${text} | `))).join(" | ");
    const docs = [...new Set(all.map((one) => docOf(one, checker)))].filter(Boolean).join(" ");
    return type === "undefined" ? [] : [[`\`${property}\``, `\`${type}\`${docs && `: ${docs}`}`]];
  });
  return cells.map((line, index) => [index === 0 ? title : "", ...line]);
}

/** Adds the types of objects that a type names. */
function collect(type: ts.Type, checker: ts.TypeChecker, named: Map<string, ts.Type>): void {
  const symbol = type.aliasTypeArguments ? undefined : (type.aliasSymbol ?? type.symbol);
  const isList = checker.isArrayType(type) || checker.isTupleType(type);
  const parts = isList ? checker.getTypeArguments(type as ts.TypeReference) : variantsOf(type);
  if (symbol?.name === "__type")
    for (const one of type.getProperties()) collect(checker.getTypeOfSymbol(one), checker, named);
  else if (symbol && !isList && parts.some((one) => one.flags & ts.TypeFlags.StructuredType))
    named.set(symbol.name, type);
  else if (parts[0] !== type) for (const one of parts) collect(one, checker, named);
}

function textOf(type: ts.Type, checker: ts.TypeChecker): string {
  const isText = variantsOf(type).every((one) => one.flags & ts.TypeFlags.StringLiteral);
  const flags = ts.TypeFormatFlags.NoTruncation | (isText ? ts.TypeFormatFlags.InTypeAlias : 0);
  const text = checker.typeToString(type, undefined, flags).replace(/readonly | \| undefined/g, "");
  return text.replace(/Masked<([^<>]*)>/g, '$1 | "(sensitive)"');
}

const variantsOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);
