/**
 * Makes the plans of this folder, and the list of attributes in schema.json, with Terraform and the provider auth0/auth0, offline:
 * `node make.mjs TERRAFORM PROVIDER [CASE…]`.
 * PROVIDER is the executable of version 1.55.0. Each case of cases.json has the objects of the state (`was`) and of the configuration (`is`),
 * by their addresses. The tests read the plans alone.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const [terraform, provider, ...wanted] = process.argv.slice(2);
const version = "1.55.0";
const source = "registry.terraform.io/auth0/auth0";
const work = mkdtempSync(path.join(tmpdir(), "auth0-plans-"));
const mirror = path.join(work, "mirror", source, version, "linux_amd64");
mkdirSync(mirror, { recursive: true });
symlinkSync(path.resolve(provider), path.join(mirror, `terraform-provider-auth0_v${version}`));
const settings = path.join(work, "cli.tfrc");
writeFileSync(
  settings,
  `provider_installation {\n  filesystem_mirror { path = ${JSON.stringify(path.join(work, "mirror"))} }\n}\n`,
);
const environment = { PATH: process.env.PATH, HOME: work, TF_CLI_CONFIG_FILE: settings, CHECKPOINT_DISABLE: "1" };
const run = (folder, ...words) =>
  execFileSync(path.resolve(terraform), words, {
    cwd: folder,
    env: environment,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "pipe"],
  });

function resourceIn(address, attributes) {
  const [, type, name, key] = /^(\w+)\.(\w+)(?:\[(.*)\])?$/.exec(address);
  const { dependencies, deposed, status, schema_version = 0, sensitive_attributes = [], ...values } = attributes;
  const instance = {
    attributes: { id: `${name}_id`, ...values },
    schema_version,
    sensitive_attributes,
    ...(key && { index_key: JSON.parse(key) }),
    ...(deposed && { deposed }),
    ...(status && { status }),
    ...(dependencies && { dependencies }),
  };
  return {
    mode: "managed",
    type,
    name,
    provider: `provider["${source}"]`,
    ...(key && { each: "map" }),
    instances: [instance],
  };
}

function configuration({ is = {}, moved, removed, variables, more = {} }) {
  const resource = {};
  for (const [address, { id: _id, ...attributes }] of Object.entries(is)) {
    const [type, name] = address.split(".");
    (resource[type] ??= {})[name] = attributes;
  }
  return {
    terraform: { required_providers: { auth0: { source: "auth0/auth0", version } } },
    provider: { auth0: { domain: "acme.eu.auth0.com", api_token: "offline" } },
    ...(Object.keys(resource).length > 0 && { resource }),
    ...(moved && { moved }),
    ...(removed && { removed }),
    ...(variables && { variable: variables }),
    ...more,
  };
}

function planOf(one) {
  const folder = mkdtempSync(path.join(work, "case-"));
  writeFileSync(path.join(folder, "main.tf.json"), JSON.stringify(configuration(one)));
  const resources = Object.entries(one.was ?? {}).map(([address, attributes]) => resourceIn(address, attributes));
  const state = { version: 4, terraform_version: "1.15.0", serial: 1, lineage: "handwritten", outputs: {}, resources };
  writeFileSync(path.join(folder, "terraform.tfstate"), JSON.stringify(state));
  run(folder, "init", "-no-color");
  run(folder, "plan", "-refresh=false", "-lock=false", "-no-color", "-out=plan");
  const {
    format_version,
    terraform_version,
    resource_changes,
    prior_state,
    configuration: written,
  } = JSON.parse(run(folder, "show", "-json", "plan"));
  return { format_version, terraform_version, resource_changes, prior_state, configuration: written };
}

/** Absent attributes take most of a plan, and the review reads an absent one like null. */
const slim = (value) => {
  if (Array.isArray(value)) return value.map(slim);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, part]) => part !== null)
      .map(([name, part]) => [name, slim(part)]),
  );
};

/** Type -> path of each attribute, without indexes -> its form, such as `set string`, and what the schema says about it. */
function attributesOf(schema) {
  const formOf = (type) =>
    Array.isArray(type) ? type.flatMap((one) => (typeof one === "string" ? one : formOf(one))).join(" ") : type;
  const within = ({ attributes = {}, block_types: blocks = {} }, prefix) => [
    ...Object.entries(attributes).map(([name, { type, sensitive, write_only, computed, optional }]) => [
      prefix + name,
      [formOf(type), sensitive || write_only ? "sensitive" : [], computed && !optional ? "computed" : []]
        .flat()
        .join(" "),
    ]),
    ...Object.entries(blocks).flatMap(([name, { block }]) => within(block, `${prefix}${name}.`)),
  ];
  return Object.fromEntries(
    Object.entries(schema).map(([type, { block }]) => [type, Object.fromEntries(within(block, ""))]),
  );
}

function writeSchema() {
  const folder = mkdtempSync(path.join(work, "schema-"));
  writeFileSync(path.join(folder, "main.tf.json"), JSON.stringify(configuration({})));
  run(folder, "init", "-no-color");
  const { provider_schemas: schemas } = JSON.parse(run(folder, "providers", "schema", "-json"));
  const lines = Object.entries(attributesOf(schemas[source].resource_schemas)).map((entry) =>
    entry.map((part) => JSON.stringify(part)).join(": "),
  );
  writeFileSync(path.join(here, "schema.json"), `{\n${lines.join(",\n")}\n}\n`);
}

const file = path.join(here, "plans.json");
const cases = JSON.parse(readFileSync(path.join(here, "cases.json"), "utf8"));
const known = wanted.length === 0 ? {} : JSON.parse(readFileSync(file, "utf8"));
try {
  writeSchema();
  for (const [name, one] of Object.entries(cases)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    try {
      known[name] = slim(planOf(one));
      process.stdout.write(
        `${name}: ${known[name].resource_changes.map(({ change }) => change.actions.join("/")).join(", ")}\n`,
      );
    } catch (error) {
      process.stdout.write(`${name}: ${String(error.stderr ?? error.stack).slice(0, 900)}\n`);
      process.exitCode = 1;
    }
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
const sorted = Object.keys(cases).filter((name) => known[name]);
writeFileSync(
  file,
  `{\n${sorted.map((name) => `${JSON.stringify(name)}: ${JSON.stringify(known[name])}`).join(",\n")}\n}\n`,
);
