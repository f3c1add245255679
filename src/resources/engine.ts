/** The program that drives the provider, as far as what is done or said depends on it. */
import { shellWord } from "../text/shell-word";

export interface Host {
  /** Whether an object that is there already, the same in everything, becomes that of a new one. */
  readonly mayTakeOver: boolean;
  /** What brings an object under management: `terraform import tenant_network_acl.NAME acl_…`. */
  importCommand(type: string, id: string): string;
}

const terraform: Host = {
  mayTakeOver: true,
  importCommand: (type, id) => `terraform import ${type}.NAME ${shellWord(id)}`,
};

const pulumi: Host = {
  // Its bridge makes a renamed object first and deletes it under its old name later, in a process that knows nothing of it.
  mayTakeOver: false,
  importCommand(type, id) {
    const [provider, ...words] = type.split("_");
    const name = words.map((word) => word.replace(/^./, (initial) => initial.toUpperCase())).join("");
    const module = name.replace(/^./, (initial) => initial.toLowerCase());
    return `pulumi import ${provider}:index/${module}:${name} NAME ${shellWord(id)}`;
  },
};

/** By the version that it gives as Terraform's: `1.0.0+pulumi-terraform-bridge`. */
export function hostOf(version: string): Host {
  return /pulumi/i.test(version) ? pulumi : terraform;
}
