/** Checks that editors complete known values and show an example on hover. */
import path from "node:path";
import ts from "typescript";

const root = path.join(__dirname, "../..");
const file = path.join(root, "test/constructs/in-an-editor.ts");

/** `|` marks the cursor. */
const program = `
import { TerraformStack } from "cdktf";
import { NetworkAcl, OrganizationMemberSet, RateLimitPolicy, TenantProvider } from "tenantform";
declare const stack: TerraformStack;
new TenantProvider(stack, "t", { lockoutGuard: "|", clientAssertionSigningAlg: "|", protectedRequest: [{ country: "|" }] });
new NetworkAcl(stack, "a", {
  description: "",
  rule: { action: { block: true }, match: { geoCountryCodes: ["|"], auth0Managed: ["|"] }, scope: "|" },
});
new RateLimitPolicy(stack, "p", { resource: "|", consumer: "|", consumerSelector: "|", configuration: { action: "|" } });
new OrganizationMemberSet(stack, "m", { organizationId: "org_1", members: [], onDestroy: "|" });
`;

const cursors = [...program.matchAll(/\|/g)].map(({ index }, earlier) => index - earlier);
const text = program.replaceAll("|", "");

const service = ts.createLanguageService({
  getCompilationSettings: () => ({ strict: true, module: ts.ModuleKind.Node16, types: [], skipLibCheck: true }),
  getScriptFileNames: () => [file],
  getScriptVersion: () => "1",
  getScriptSnapshot(name) {
    const content = name === file ? text : ts.sys.readFile(name);
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
  },
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (name) => name === file || ts.sys.fileExists(name),
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
});

test("completes every known value, and accepts any other", () => {
  const offered = cursors.map((cursor) =>
    service.getCompletionsAtPosition(file, cursor, undefined)?.entries.map(({ name }) => name),
  );
  const countries = expect.arrayContaining(["AD", "DE", "ZW"]);
  const inAnyOrder = (...names: string[]) => names.toSorted();
  expect(offered.map((names) => (names && names.length < 20 ? names.toSorted() : names))).toEqual([
    inAnyOrder("error", "off", "warn"),
    inAnyOrder("ES256", "PS256", "RS256", "RS384", "RS512"),
    countries,
    countries,
    inAnyOrder("auth0.icloud_relay_proxy", "auth0.low_reputation", "auth0.proxy", "auth0.tor", "auth0.vpn"),
    inAnyOrder("authentication", "dynamic_client_registration", "management", "tenant"),
    ["oauth_authentication_api"],
    ["client"],
    expect.arrayContaining(inAnyOrder("cimd_clients", "default", "third_party_clients")),
    inAnyOrder("allow", "block", "log", "redirect"),
    inAnyOrder("keep", "remove"),
  ]);
  // All values are empty texts here, so none of them is a known value.
  expect(service.getSemanticDiagnostics(file).map(({ messageText }) => messageText)).toEqual([]);
});

test.each(["scope", "consumerSelector", "onDestroy", "protectedRequest", "NetworkAcl(stack", "TenantProvider(stack"])(
  "shows a description and an example of %s on hover",
  (name) => {
    const info = service.getQuickInfoAtPosition(file, text.indexOf(name))!;
    expect(ts.displayPartsToString(info.documentation)).toMatch(/\w{3}/);
    expect(info.tags).toContainEqual(expect.objectContaining({ name: "example" }));
  },
);
