/** Makes the reference of the constructs from the comments of what they export. */
import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import type { Page } from "./reference";

interface Export {
  readonly name: string;
  readonly text: string;
  readonly example?: string;
}

/** `entry`: the file with the public exports. `prose`: the folder with the rest of the page. */
export function constructsPage(entry: string, prose: string): Page {
  const sections = exportsOf(entry).map(({ name, text, example }) =>
    [`### \`${name}\``, text, ...(example === undefined ? [] : [`\`\`\`text\n${example}\n\`\`\``])].join("\n\n"),
  );
  const page = readFileSync(path.join(prose, "constructs.md"), "utf8");
  return { file: "guides/constructs.md", text: page.replace("<!-- exports -->", () => sections.join("\n\n")) };
}

/** Those with a comment of their own that are not types: classes, functions and objects. */
function exportsOf(entry: string): Export[] {
  const program = ts.createProgram([entry], { skipLibCheck: true, module: ts.ModuleKind.CommonJS });
  const checker = program.getTypeChecker();
  const file = checker.getSymbolAtLocation(program.getSourceFile(entry)!)!;
  return checker.getExportsOfModule(file).flatMap((symbol) => {
    const own = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const text = ts.displayPartsToString(own.getDocumentationComment(checker)).replace(/\s+/g, " ");
    if (!(own.flags & ts.SymbolFlags.Value) || text === "") return [];
    const [example] = own.getJsDocTags(checker).filter(({ name }) => name === "example");
    return [{ name: symbol.name, text, ...(example && { example: ts.displayPartsToString(example.text).trim() }) }];
  });
}
