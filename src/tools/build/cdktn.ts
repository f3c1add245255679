/** Makes the constructs for cdktn from the compiled ones for cdktf: only the name of the package differs. */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";

const hostName = /(\brequire\(|\bimport\(|\bfrom )(["'])cdktf\2/g;

/** Copies `dist/constructs` to `dist/cdktn`, at the same depth, so relative imports still work. */
export async function constructsForCdktn(dist: string): Promise<void> {
  const from = path.join(dist, "constructs");
  const files = await readdir(from, { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of files) {
    if (!/\.(js|d\.ts)$/.test(name) || name.startsWith("installed.")) continue;
    const folder = path.join(dist, "cdktn", path.relative(from, parentPath));
    await mkdir(folder, { recursive: true });
    const text = await readFile(path.join(parentPath, name), "utf8");
    await writeFile(path.join(folder, name), text.replace(hostName, "$1$2cdktn$2"));
  }
}
