/** Differences between the engines that run the provider: Terraform (or OpenTofu) and Pulumi. */
import { shellWord } from "../text/shell-word";

export interface Engine {
  /** Whether a new resource may adopt an identical existing object. */
  readonly canAdopt: boolean;
  /** The command that imports an object: `terraform import tenant_network_acl.NAME acl_…`. */
  importCommand(type: string, id: string): string;
}

/** Another process may delete an object of the tenant while this one adopts it. */
export interface Adopter extends Engine {
  readonly neighbours?: { areThere(): boolean };
}

export const mayAdopt = ({ canAdopt, neighbours }: Adopter): boolean => canAdopt && neighbours?.areThere() !== true;

const terraform: Engine = {
  canAdopt: true,
  importCommand: (type, id) => `terraform import ${type}.NAME ${shellWord(id)}`,
};

const pulumi: Engine = {
  // Pulumi's bridge creates a renamed object first, and deletes it under its old name later, in another process.
  canAdopt: false,
  importCommand(type, id) {
    const [provider, ...words] = type.split("_");
    const name = words.map((word) => word.replace(/^./, (initial) => initial.toUpperCase())).join("");
    const module = name.replace(/^./, (initial) => initial.toLowerCase());
    return `pulumi import ${provider}:index/${module}:${name} NAME ${shellWord(id)}`;
  },
};

/** Recognizes Pulumi by the version that it gives as Terraform's: `1.0.0+pulumi-terraform-bridge`. */
export function engineOf(version: string): Engine {
  return /pulumi/i.test(version) ? pulumi : terraform;
}
