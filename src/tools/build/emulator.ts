/** The embedded tenant as two files with all they need: test runners load it without settings, and nothing is installed for it. */
import { readdirSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Plugin } from "esbuild";
import { bundle, dist } from "./bundle";
import { componentsOf, writeComponents } from "./components";

/** What the command starts is the same file that a test imports. */
const beside: Plugin = {
  name: "beside",
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/emulator$/ }, () => ({ path: "./emulator.js", external: true }));
  },
};

/** In the place of the files that tsc has compiled, whose declarations stay. */
export async function buildEmulator(): Promise<void> {
  const folder = path.join(dist, "emulator");
  const tenant = await bundle("emulator/emulator.ts");
  const command = await bundle("emulator/command.ts", { plugins: [beside] });
  const compiled = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".js"));
  await Promise.all(compiled.map((file) => rm(path.join(folder, file))));
  await writeFile(path.join(folder, "emulator.js"), tenant.code);
  await writeFile(path.join(folder, "command.js"), command.code);
  const carried = componentsOf([tenant.metafile, command.metafile]);
  await writeComponents(folder, carried, "tenantform-emulator");
}
