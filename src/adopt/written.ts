/** The files of a stack, in either language. */
import type { Arranged, Declaration } from "./stack";
import type { Kind } from "./survey";
import { free, type Files } from "./files";
import * as hcl from "./hcl";
import type { Present } from "./existing";
import { gitignore, mainTs, providerTf, requirementTf, stackName, takesUpParts, typescriptProject } from "./project";
import { partText, rollText, type Host } from "./typescript";

export interface Written {
  readonly files: Files;
  /** What somebody must do by hand, for what is there already stays as it is. */
  readonly notes: readonly string[];
  /** The program, of a stack in TypeScript. */
  readonly main?: string;
}

const heads: Readonly<Record<Kind, string>> = {
  acls: "Network access control lists, in the order in which the tenant asks them.",
  policies: "Rate limit policies. They are in Early Access: the service may change them.",
  keys: "Keys of HTTP message signatures. They are in Early Access: the service may change them.",
  members: "The members of each organization. Who is not listed is removed at the next apply.",
};
const order = ["acls", "policies", "members", "keys"] as const;

const movesHead = `# Beside the state of the other provider: what it has there moves here, and nothing changes on the tenant. Elsewhere these blocks do
# nothing, and the objects are imported.
`;

export function writtenInHcl({ declarations, shared, rolls }: Arranged, there: Present): Written {
  const files = new Map<string, string>();
  const add = (file: string, content: string) =>
    files.set(
      free(file, (name) => there.has(name) || files.has(name)),
      content,
    );
  const notes: string[] = [];
  const provided = providerFile(there);
  if (provided) add(...provided);
  const names = {
    acls: "network_acls.tf",
    policies: "rate_limit_policies.tf",
    members: "members.tf",
    keys: "network_acl_keys.tf",
  };
  for (const kind of order) {
    const own = declarations.filter((declaration) => declaration.kind === kind);
    if (own.length === 0) continue;
    const constants = kind === "acls" && shared.length > 0 ? [hcl.locals(shared)] : [];
    add(names[kind], [`# ${heads[kind]}\n`, ...constants, ...own.map(hcl.resource)].join("\n"));
  }
  const adopted = declarations.filter(({ refused }) => refused.length === 0);
  if (adopted.length > 0) {
    add(
      "imports.tf",
      ["# Once applied, this file has done its work and may go.\n", ...adopted.map(hcl.importBlock)].join("\n"),
    );
  }
  const moves = adopted.flatMap(hcl.moves);
  if (moves.length > 0) add("moves.tf", [movesHead, ...moves].join("\n"));
  for (const roll of rolls) files.set(roll.file, hcl.rollText(roll));
  if (!there.has(".gitignore")) add(".gitignore", gitignore.hcl);
  return { files, notes: [...notes, ...leftBehind(adopted, there)] };
}

/** A configuration names its providers in one place: where that is somebody's, an override adds ours. */
function providerFile({ texts }: Present): [file: string, content: string] | undefined {
  const own = [...texts].filter(([file]) => /^[^/]+\.(tf|tofu)(\.json)?$/.test(file)).map(([, text]) => text);
  if (own.some((text) => /^\s*provider\s+"tenant"|tenantform\/tenant"/m.test(text))) return undefined;
  const isTaken = own.some((text) => /^\s*required_providers\s*\{|"required_providers"\s*:/m.test(text));
  return isTaken ? ["tenant_override.tf", requirementTf] : ["provider.tf", `${requirementTf}\n${providerTf}`];
}

/** What the other provider still declares of that which moves. */
function leftBehind(declarations: readonly Declaration[], { texts }: Present): string[] {
  const origins = new Set(
    declarations.flatMap(({ origin }) => (origin ? [origin.moved ?? [], origin.removed].flat() : [])),
  );
  const resources = new Set([...origins].map((address) => address.replace(/\[.*$/s, "")));
  return [...texts].flatMap(([file, text]) =>
    text.split("\n").flatMap((line, index) => {
      const [, type, name] = /^\s*resource\s+"(auth0_\w+)"\s+"([\w-]+)"/.exec(line) ?? [];
      return resources.has(`${type}.${name}`) ? [`${file}:${index + 1}: remove ${type}.${name}, which moves`] : [];
    }),
  );
}

export function writtenInTypescript(
  { declarations, shared, rolls }: Arranged,
  there: Present,
  directory: string,
  host: Host,
): Written {
  const files = new Map<string, string>();
  const notes: string[] = [];
  const taken = (name: string) => there.has(name) || files.has(name);
  const names = { acls: "network-acls", policies: "rate-limit-policies", members: "members", keys: "network-acl-keys" };
  for (const kind of order) {
    const own = declarations.filter((declaration) => declaration.kind === kind);
    if (own.length === 0) continue;
    const file = free(`${stackName}/${names[kind]}.ts`, taken);
    const name = file.slice(stackName.length + 1, -3).split("-");
    files.set(
      file,
      partText({ head: heads[kind], name, declarations: own, shared: kind === "acls" ? shared : [] }, host),
    );
  }
  for (const roll of rolls) files.set(roll.file, rollText(roll));
  let main = "main.ts";
  if (there.has(main) && !there.text(main)?.includes(takesUpParts)) {
    main = "adopted.ts";
    notes.push(`main.ts is yours and stays as it is; adopted.ts declares what was found as a stack of its own.`);
  }
  const project = {
    ...typescriptProject(directory, host, main),
    ".gitignore": gitignore.typescript,
    [main]: mainTs(host),
  };
  for (const [file, content] of Object.entries(project)) if (!there.has(file)) files.set(file, content);
  return { files, notes, main };
}
