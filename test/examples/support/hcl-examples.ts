/** The HCL of docs and examples, as modules that one root configuration calls. */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { codeOn, root } from "./shell-blocks";

/** Not a configuration of its own: other tests run queries and the blocks of an example's rule. Nobody has the auth0 provider here. */
export const isPart = (code: string) =>
  /^list "/m.test(code) || /^(resource|provider) "auth0/m.test(code) || code.startsWith("http_message_signature {");

/** Resources that an excerpt names and does not show, because imports and moves need them. */
function standIns(code: string): string {
  const bodies: Record<string, string> = {
    network_acl:
      'description = "x"\n rule {\n action {\n log = true\n }\n match {\n asns = [1]\n }\n scope = "tenant"\n }',
    network_acl_key: 'name = "x"\n value = "${base64encode(join("", range(99)))}"',
    rate_limit_policy: 'consumer_selector = "default"\n configuration {\n action = "allow"\n }',
    organization_member_set: 'organization_id = "org_x"\n members = []',
  };
  const named = new Set(
    [...code.matchAll(/\b(?:to *= *)tenant_(\w+)\.(\w+)/g)].map(([, type, name]) => `${type}.${name}`),
  );
  return [...named]
    .map((address) => address.split(".") as [string, string])
    .filter(([type, name]) => !code.includes(`resource "tenant_${type}" "${name}"`))
    .map(([type, name]) => `resource "tenant_${type}" "${name}" {\n ${bodies[type]}\n}\n`)
    .join("");
}

/** Name -> code. The files of one folder of examples belong together. */
function hclExamples(): Map<string, string> {
  const found = new Map<string, string>();
  const named = (name: string, code: string) => found.set(name, `${found.get(name) ?? ""}${code}\n`);
  const inside = (folder: string, ending: string) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(ending))
      .map((file) => `${folder}/${file}`);
  for (const file of inside("examples", ".tf")) {
    named(path.dirname(file), readFileSync(path.join(root, file), "utf8"));
  }
  for (const page of ["README.md", ...inside("docs", ".md")]) {
    codeOn(page, "hcl", "terraform").forEach((code, index) => named(`${page}-${index + 1}`, code));
  }
  const seen = new Set<string>();
  return new Map([...found].filter(([, code]) => !isPart(code) && !seen.has(code) && seen.add(code)));
}

const requirement = `terraform {
  required_providers {
    tenant = { source = "registry.terraform.io/tenantform/tenant" }
  }
}
`;

/** Writes the root configuration and its modules, and returns the number of modules. */
export function writeHclExamples(folder: string): number {
  const examples = [...hclExamples()];
  const calls = examples.map(([name, code]) => {
    const id = name.replace(/\W+/g, "_");
    const imports: string[] = [];
    // Only a root configuration can have import blocks.
    const rest = code.replace(/^import \{\n.*?^\}\n/gms, (block) => {
      imports.push(block.replace(/^(\s*to\s*=\s*)/m, `$1module.${id}.`));
      return "";
    });
    const own = rest.includes("required_providers") ? rest : requirement + rest;
    mkdirSync(path.join(folder, id));
    writeFileSync(path.join(folder, id, "main.tf"), standIns(code) + own);
    const inputs = [...rest.matchAll(/^variable "(\w+)" \{\n(.*?)^\}/gms)]
      .filter(([, , body]) => !/^\s*default\b/m.test(body!))
      .map(([, input]) => `  ${input} = null\n`);
    return `module "${id}" {\n  source = "./${id}"\n${inputs.join("")}}\n${imports.join("")}`;
  });
  writeFileSync(path.join(folder, "main.tf"), requirement + calls.join(""));
  return examples.length;
}
