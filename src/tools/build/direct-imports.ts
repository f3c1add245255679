/** Makes a bundle load only the files of a room that it names, instead of everything behind the room's entry file. */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Plugin } from "esbuild";

/** Names without `type`: esbuild removes what only types use. */
const namesIn = (list: string) =>
  list
    .split(",")
    .map((name) => name.trim().replace(/^type /, ""))
    .filter((name) => name !== "");

/** The file that each name comes from. */
function sourcesIn(entry: string): ReadonlyMap<string, string> {
  const exported = readFileSync(entry, "utf8").matchAll(/^export (?:type )?\{([^}]*)\} from "(.+)";$/gm);
  return new Map(
    Array.from(exported, ([, list, source]) => namesIn(list!).map((name) => [name, source!] as const)).flat(),
  );
}

/** `entry`: a file that only exports names from files beside it. */
export function directImports(entry: string): Plugin {
  const sources = sourcesIn(entry);
  const room = path.basename(path.dirname(entry));
  const file = path.basename(entry, ".ts");
  const imports = new RegExp(`^(import|export) \\{([^}]*)\\} from "([./\\w-]*/${room}/)${file}";$`, "gm");
  const direct = (_: string, keyword: string, list: string, folder: string) =>
    namesIn(list)
      .map((name) => {
        const source = sources.get(name.replace(/ as .*/, ""));
        if (source === undefined) throw new Error(`${entry} does not export ${name}`);
        return `${keyword} { ${name} } from ${JSON.stringify(folder + path.posix.normalize(source))};`;
      })
      .join(" ");
  return {
    name: `direct imports from ${room}`,
    setup: ({ onLoad }) =>
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path: loaded }) => ({
        contents: (await readFile(loaded, "utf8")).replace(imports, direct),
        loader: "ts",
      })),
  };
}
