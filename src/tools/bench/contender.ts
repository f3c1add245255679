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
  /** Its types of a rate limit policy and of a network ACL. */
  readonly policy: string;
  readonly acl: string;
}

export interface PeerOptions {
  readonly peer?: string;
  readonly peerSource: string;
  readonly peerPolicy: string;
  readonly peerAcl: string;
}

const dist = path.join(__dirname, "../../../dist");
const ours = { source: address, version, policy: "tenant_rate_limit_policy", acl: "tenant_network_acl" };

export const script: Contender = { ...ours, name: "script", shipped: path.join(dist, "provider") };
const native: Contender = { ...ours, name: "native", shipped: path.join(dist, "native", platformHere()) };

/** Our builds that exist, then the peer. `absent` names the missing ones. */
export function contendersOf({ peer, peerSource, peerPolicy, peerAcl }: PeerOptions) {
  const wanted = [script, native];
  if (peer) {
    const shipped = path.resolve(peer);
    const types = { policy: peerPolicy, acl: peerAcl };
    wanted.push({ name: "peer", shipped, source: peerSource, version: "1.0.0", ...types });
  }
  return {
    contenders: wanted.filter(({ shipped }) => existsSync(shipped)),
    absent: wanted.filter(({ shipped }) => !existsSync(shipped)).map(({ name, shipped }) => `${name}: no ${shipped}`),
  };
}

const fileOf = ({ source, version: number }: Contender) =>
  `terraform-provider-${path.posix.basename(source)}_v${number}`;

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
