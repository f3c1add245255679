/** A fleet declares one stack for each tenant, and refuses tenants that could be confused. */
import {
  App,
  CloudBackend,
  GcsBackend,
  HttpBackend,
  LocalBackend,
  NamedCloudWorkspace,
  PgBackend,
  S3Backend,
  TaggedCloudWorkspaces,
  TerraformStack,
  TerraformVariable,
  Testing,
} from "cdktf";
import * as cdktn from "cdktn";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import * as forCdktn from "tenantform/cdktn";
import { fleet, RateLimitPolicy, TenantProvider, type FleetConfig, type FleetTenant } from "../../src/constructs";

interface Customer extends FleetTenant {
  readonly limit: number;
}

let folder: string;
let app: App;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "tenantform-test-"));
  app = new App({ outdir: folder, stackTraces: false });
});
afterEach(() => rmSync(folder, { recursive: true }));

const database = "postgres://db.example.com/states";
const customers: readonly Customer[] = [
  { name: "acme", domain: "acme.eu.auth0.com", limit: 10 },
  { name: "globex-eu", domain: "login.globex.example", limit: 20 },
];
const config = (more: Partial<FleetConfig<Customer>> = {}): FleetConfig<Customer> => ({
  tenants: customers,
  declare(stack, { name, limit }) {
    new PgBackend(stack, { connStr: database, schemaName: `tenant_${name}` });
    new RateLimitPolicy(stack, "all", { consumerSelector: "default", configuration: { action: "block", limit } });
  },
  ...more,
});
const tenant = (name: unknown, domain: unknown = "other.example", more = {}) => ({ name, domain, ...more }) as Customer;
const readStack = (name: string) => JSON.parse(readFileSync(path.join(folder, "stacks", name, "cdk.tf.json"), "utf8"));

test("declares a stack for each tenant, whose provider reaches only this tenant", () => {
  const stacks = fleet(app, config());
  expect([...stacks.keys()]).toEqual(["acme", "globex-eu"]);
  app.synth();
  expect(readdirSync(path.join(folder, "stacks")).toSorted()).toEqual(["acme", "globex-eu"]);
  const { provider, resource, terraform } = readStack("globex-eu");
  expect(provider.tenant).toEqual([
    {
      allowed_domains: ["login.globex.example"],
      domain: "login.globex.example",
      environment_prefix: "GLOBEX_EU",
    },
  ]);
  expect(resource.tenant_rate_limit_policy.all.configuration.limit).toBe(20);
  expect(terraform.backend.pg).toEqual({ conn_str: database, schema_name: "tenant_globex-eu" });
});

test("supports the stacks of cdktn", () => {
  const other = new cdktn.App({ outdir: folder, stackTraces: false });
  forCdktn.fleet<Customer>(other, {
    tenants: customers,
    declare(stack, { name }) {
      new cdktn.S3Backend(stack, { bucket: "states", key: `${name}.tfstate` });
    },
  });
  other.synth();
  expect(readStack("acme").provider.tenant[0].environment_prefix).toBe("ACME");
  expect(() => forCdktn.fleet(other, { tenants: [tenant("../x")], declare() {} })).toThrow("`tenants[0].name`");
});

test("takes the settings of a provider, but not its tenant", () => {
  const provider = () => ({ protectedRequest: [{ name: "CI", ip: "203.0.113.7" }], domain: "other.example" });
  fleet(app, config({ provider }));
  app.synth();
  expect(readStack("acme").provider.tenant[0]).toMatchObject({
    domain: "acme.eu.auth0.com",
    protected_request: [{ name: "CI", ip: "203.0.113.7" }],
  });
});

test("allows only the endpoint of a tenant that has one", () => {
  fleet(
    app,
    config({ tenants: [tenant("acme", "acme.eu.auth0.com", { endpoint: "http://127.0.0.1:4010/", limit: 1 })] }),
  );
  app.synth();
  expect(readStack("acme").provider.tenant).toEqual([
    { allowed_domains: ["127.0.0.1:4010"], endpoint: "http://127.0.0.1:4010/", environment_prefix: "ACME" },
  ]);
});

const names = ["../x", "", ".", "__proto__", "a b", "a\n", "4you", "a--b", "a-", "Ä", "x".repeat(41), undefined, 7];
test.each(names)("refuses the name %j of a tenant", (name) => {
  expect(() => fleet(app, config({ tenants: [tenant("first", "first.example"), tenant(name)] }))).toThrow(
    /`tenants\[1\]\.name` is .*: give 1 to 40 letters and digits, beginning with a letter/s,
  );
  expect(app.node.children).toEqual([]);
});

test.each([
  ["acme", "acme", '`tenants[1].name` is "acme", like `tenants[0].name`'],
  ["Acme", "aCME", "both would read ACME_TENANT_CLIENT_ID and so on. Give one of them another name."],
  ["acme-eu", "acme_eu", '`tenants[1].name` is "acme_eu", and `tenants[0].name` is "acme-eu"'],
])("refuses the names %j and %j in one fleet", (one, other, message) => {
  const tenants = [tenant(one, "one.example"), tenant(other, "other.example")];
  expect(() => fleet(app, config({ tenants }))).toThrow(message);
});

test("refuses the name of a stack that the app has", () => {
  new TerraformStack(app, "acme");
  expect(() => fleet(app, config())).toThrow('`tenants[0].name` is "acme", and the app already has "acme"');
});

test.each([
  ["https://acme.eu.auth0.com", '"https://acme.eu.auth0.com"'],
  ["*.auth0.com", '"*.auth0.com"'],
  ["", '""'],
  [undefined, "undefined"],
  ["${var.domain}", '"${var.domain}"'],
])("refuses the domain %j", (domain, shown) => {
  const wrong = { name: "acme", domain, limit: 1 } as Customer;
  expect(() => fleet(app, config({ tenants: [wrong] }))).toThrow(
    `\`tenants[0].domain\` is ${shown}: give the bare host name as text`,
  );
});

test("refuses a domain that is a variable", () => {
  const domain = new TerraformVariable(new TerraformStack(app, "other"), "domain", {}).stringValue;
  expect(() => fleet(app, config({ tenants: [tenant("acme", domain)] }))).toThrow(
    "`tenants[0].domain` is not known at synth",
  );
});

test.each([
  [
    { domain: "acme.example" },
    { domain: "ACME.example" },
    '`tenants[1].domain` is the tenant "acme.example", like `tenants[0].domain`',
  ],
  [
    { domain: "acme.example", endpoint: "http://127.0.0.1:4010" },
    { domain: "globex.example", endpoint: "http://localhost:4010/" },
    '`tenants[1].endpoint` is the tenant "localhost:4010", like `tenants[0].endpoint`',
  ],
])("refuses one tenant under two names: %j and %j", (one, other, message) => {
  const tenants = [tenant("a", one.domain, one), tenant("b", other.domain, other)];
  expect(() => fleet(app, config({ tenants }))).toThrow(message);
});

test("reports all problems together, without a password in an endpoint", () => {
  const tenants = [tenant("../x", "x y"), tenant("b", "b.example", { endpoint: "user:secret@:" }), "c" as never];
  const run = () => fleet(app, config({ tenants }));
  expect(run).toThrow(
    /tenants\[0\]\.name.*\n.*tenants\[0\]\.domain.*\n.*tenants\[1\]\.endpoint.*\n.*`tenants\[2\]` is "c"/,
  );
  expect(run).not.toThrow("secret@");
  expect(() => fleet(app, config({ tenants: "acme" as never }))).toThrow('`tenants` is "acme": give a list');
});

test("refuses a secret as plain text, and takes it as a variable", () => {
  const secret = "s3cret-text";
  fleet(app, config({ tenants: customers.slice(0, 1), provider: () => ({ clientId: "id", clientSecret: secret }) }));
  expect(() => app.synth()).toThrow(/\[acme\/tenant\] `clientSecret` is secret.*set ACME_TENANT_CLIENT_SECRET/s);
  expect(() => app.synth()).not.toThrow(secret);

  app = new App({ outdir: folder, stackTraces: false });
  const provider: FleetConfig<Customer>["provider"] = (_tenant, stack) => ({
    clientSecret: new TerraformVariable(stack, "client_secret", { sensitive: true }).stringValue,
  });
  fleet(app, config({ provider }));
  app.synth();
  expect(readStack("acme").provider.tenant[0].client_secret).toBe("${var.client_secret}");
});

test("refuses a provider for another tenant in the stack", () => {
  const declare = (stack: TerraformStack) => void new TenantProvider(stack, "other", { alias: "other" });
  fleet(app, config({ declare }));
  expect(() => app.synth()).toThrow("acme/other is another TenantProvider, but a stack of a fleet is for one tenant");
});

describe("the state", () => {
  const synth = (backend: (stack: TerraformStack, name: string) => unknown) => {
    fleet(app, config({ declare: (stack, { name }) => void backend(stack, name) }));
    return () => app.synth();
  };

  test("is never shared by two tenants", () => {
    const connStr = "postgres://user:secret@db.example.com/states";
    const shared = synth((stack) => new PgBackend(stack, { connStr }));
    expect(shared).toThrow("acme, globex-eu have the same backend, so they would share one state.");
    expect(shared).not.toThrow("secret");
  });

  test("may be in one workspace of HCP Terraform for each tenant", () => {
    const workspaces = new NamedCloudWorkspace("tenant");
    expect(synth((stack) => new CloudBackend(stack, { organization: "acme", workspaces }))).toThrow("the same backend");
    app = new App({ outdir: folder, stackTraces: false });
    const tags = new TaggedCloudWorkspaces(["tenant"]);
    expect(synth((stack) => new CloudBackend(stack, { organization: "acme", workspaces: tags }))).not.toThrow();
  });

  test("may be in one bucket", () => {
    expect(synth((stack, name) => new S3Backend(stack, { bucket: "states", key: `${name}.tfstate` }))).not.toThrow();
    app = new App({ outdir: folder, stackTraces: false });
    const overridden = (stack: TerraformStack, name: string) => {
      new S3Backend(stack, { bucket: "states", key: "x" });
      stack.addOverride("terraform.backend.s3.key", name);
    };
    expect(synth(overridden)).not.toThrow();
  });

  const both = <Settings>(Backend: new (stack: TerraformStack, settings: Settings) => object, ...own: Settings[]) =>
    synth((stack, name) => new Backend(stack, own[customers.findIndex((one) => one.name === name) % own.length]!));
  const s3 = (settings: object) => ({ bucket: "states", key: "x", ...settings });
  const s3At = (host: string) => s3({ endpoints: { s3: `https://${host}` } });
  const pg = (connStr: string) => ({ connStr });
  const http = (username: string) => ({ address: "https://states.example/one", username });
  const cloud = (name: string, more: object = {}) => ({
    organization: "acme",
    workspaces: new NamedCloudWorkspace(name),
    ...more,
  });

  test.each<[string, () => () => void]>([
    ["S3 with and without encryption", () => both(S3Backend, s3({ encrypt: true }), s3({ encrypt: false }))],
    ["S3 with other tables of locks", () => both(S3Backend, s3({ dynamodbTable: "a" }), s3({ dynamodbTable: "b" }))],
    ["S3 by two hosts of AWS", () => both(S3Backend, s3At("s3.amazonaws.com"), s3At("s3.eu-west-1.amazonaws.com"))],
    [
      "PostgreSQL by two users",
      () => both(PgBackend, pg("postgres://ada:x@db.example/s?sslmode=require"), pg("postgres://db.example:5432/s")),
    ],
    [
      "PostgreSQL in two forms",
      () => both(PgBackend, pg("postgres://db.example/s"), pg("host=db.example dbname=s user=ada")),
    ],
    [
      "PostgreSQL with the usual schema",
      () => both(PgBackend, { connStr: database, schemaName: "terraform_remote_state" }, pg(database)),
    ],
    [
      "one file, absolute and relative",
      () => both(LocalBackend, { path: path.join(folder, "one.tfstate") }, { path: "../../one.tfstate" }),
    ],
    ["one file with a detour", () => both(LocalBackend, { path: "/s/./one.tfstate" }, { path: "/s/x/../one.tfstate" })],
    [
      "GCS with and without a slash",
      () => both(GcsBackend, { bucket: "states", prefix: "one" }, { bucket: "states", prefix: "one/" }),
    ],
    ["HTTP by two users", () => both(HttpBackend, http("ada"), http("eve"))],
    [
      "one workspace, by its usual host",
      () => both(CloudBackend, cloud("one"), cloud("one", { hostname: "app.terraform.io" })),
    ],
  ])("is shared by two stacks: %s", (_, synthesize) => {
    expect(synthesize()).toThrow("would share one state");
  });

  test.each<[string, () => () => void]>([
    ["two stores with the API of S3", () => both(S3Backend, s3At("a.example"), s3At("b.example"))],
    ["one relative path, in the folder of each stack", () => both(LocalBackend, { path: "one.tfstate" })],
    ["two databases", () => both(PgBackend, pg("postgres://d.example/a"), pg("postgres://d.example/b"))],
    ["two workspaces", () => both(CloudBackend, cloud("a"), cloud("b"))],
  ])("is not shared: %s", (_, synthesize) => {
    expect(synthesize()).not.toThrow();
  });

  test("is a local file of each stack without a backend", () => {
    expect(synth(() => undefined)).not.toThrow();
  });
});

test("a stack of a fleet can be tested alone", () => {
  const stacks = fleet(Testing.app(), config());
  expect(JSON.parse(Testing.synth(stacks.get("acme")!, true)).provider.tenant[0].domain).toBe("acme.eu.auth0.com");
});
