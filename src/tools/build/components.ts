/** Lists the third-party packages in a build, with licence and digest, from esbuild's metafile. */
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { Metafile } from "esbuild";
import { product } from "../../commands/install/product";
import { root, version } from "./bundle";

export interface Component {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly licence: string;
  /** Licence and copyright. */
  readonly text: string;
  /** npm's integrity of the package: `sha512-…` in base64. */
  readonly integrity: string;
}

interface Manifest {
  readonly version: string;
  readonly license: string;
}

const licences = path.join(root, "src/tools/build/licences");
/** A package without a text has one here, or the build fails. */
export const licenceText = (name: string) => readFileSync(path.join(licences, `${name}.txt`), "utf8");

export function componentsOf(metafiles: readonly Metafile[]): Component[] {
  const files = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const names = files.flatMap((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  return [...new Set(names)].toSorted().map((name) => {
    const folder = path.join(root, "node_modules", name);
    const { version: installed, license } = json<Manifest>(path.join(folder, "package.json"));
    const text = ownTexts(folder) ?? licenceText(path.basename(name));
    return { name, version: installed, licence: license, text, integrity: locked(name) };
  });
}

function ownTexts(folder: string): string | undefined {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  return files.length > 0
    ? files.map((file) => readFileSync(path.join(folder, file), "utf8").trim()).join("\n\n")
    : undefined;
}

function locked(name: string): string {
  const { packages } = json<{ packages: Record<string, { integrity: string }> }>(path.join(root, "package-lock.json"));
  return packages[`node_modules/${name}`]!.integrity;
}

const json = <T>(file: string) => JSON.parse(readFileSync(file, "utf8")) as T;

/** Writes THIRD_PARTY_LICENSES and the bill of materials next to the build. */
export async function writeComponents(
  folder: string,
  components: readonly Component[],
  carrier = product,
): Promise<void> {
  await writeFile(path.join(folder, "THIRD_PARTY_LICENSES"), noticesOf(components, carrier));
  await writeFile(path.join(folder, "sbom.cdx.json"), `${materialsOf(components, carrier)}\n`);
}

function noticesOf(components: readonly Component[], carrier: string): string {
  const head = `${carrier} ${version} contains the following packages.`;
  const line = "-".repeat(100);
  const parts = components.map(({ name, version: its, licence, text }) => `${name} ${its}\n${licence}\n\n${text}`);
  return [head, ...parts].map((part) => part.trim()).join(`\n\n${line}\n\n`) + "\n";
}

/** A bill of materials in CycloneDX 1.6. */
function materialsOf(components: readonly Component[], carrier: string): string {
  const own = { type: "application", "bom-ref": carrier, name: carrier, version };
  return JSON.stringify(
    {
      $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      version: 1,
      metadata: { component: { ...own, licenses: [{ license: { id: "MIT" } }] } },
      components: components.map((component) => ({
        type: "library",
        "bom-ref": purl(component),
        name: component.name,
        version: component.version,
        purl: purl(component),
        licenses: [{ expression: component.licence }],
        hashes: [
          {
            alg: "SHA-512",
            content: Buffer.from(component.integrity.slice("sha512-".length), "base64").toString("hex"),
          },
        ],
      })),
      dependencies: [{ ref: carrier, dependsOn: components.map(purl) }],
    },
    undefined,
    2,
  );
}

const purl = ({ name, version: its }: Component) => `pkg:npm/${name.replace("@", "%40")}@${its}`;
