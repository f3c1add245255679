/** The providers to compare: our script, our native build, and the executable of another provider. */
import { existsSync } from "node:fs";
import { cp, mkdir, stat } from "node:fs/promises";
import path from "node:path";
import { address, platformHere } from "../../install/product";
import { version } from "../../version";

export interface Contender {
  readonly name: string;
  /** The executable or its folder. */
  readonly shipped: string;
  /** Namespace and type. */
  readonly source: string;
  readonly version: string;
}

export const dist = path.join(__dirname, "../../../dist");
export const script: Contender = { name: "script", source: address, version, shipped: path.join(dist, "provider") };
const native: Contender = { ...script, name: "native", shipped: path.join(dist, "native", platformHere()) };

/** Our builds that exist, and the other provider if its executable is given. */
export function contendersOf(peer: string | undefined, source: string): Contender[] {
  const built = [script, native].filter(({ shipped }) => existsSync(shipped));
  return peer === undefined
    ? built
    : [...built, { name: "peer", source, version: "1.0.0", shipped: path.resolve(peer) }];
}

/** The name of a provider in a configuration, and the beginning of the types of its resources. */
export const prefixOf = ({ source }: Contender): string => path.posix.basename(source);

const fileOf = (contender: Contender) => `terraform-provider-${prefixOf(contender)}_v${contender.version}`;

/** Installs the provider into a working directory of Terraform. */
export async function installInto(directory: string, contender: Contender): Promise<void> {
  const { shipped, source, version: number } = contender;
  const place = path.join(directory, "terraform.d/plugins/registry.terraform.io", source, number, platformHere());
  await mkdir(place, { recursive: true });
  const isFolder = (await stat(shipped)).isDirectory();
  await cp(shipped, isFolder ? place : path.join(place, fileOf(contender)), { recursive: true });
}

export async function executableOf(contender: Contender): Promise<string> {
  const { shipped } = contender;
  return (await stat(shipped)).isDirectory() ? path.join(shipped, fileOf(contender)) : shipped;
}
