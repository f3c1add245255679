/** No secret of an object of the provider auth0/auth0 is in any format, wherever the plan or the schema says that it is one. */
import type { Row } from "../../../../src/judge/impact/auth0/row";
import { placeholders } from "../../../../src/judge/impact/auth0/row";
import { table } from "../../../../src/judge/impact/auth0/table";
import type { Marks, Values } from "../../../../src/judge/impact/model";
import { formats, rendered } from "../../../../src/review/report/output";
import { tenantsIn } from "../../../../src/review/input/tenants";
import { inState, plan, prior, reviewTenant } from "../../../review/support/plan";
import {
  actionsOf,
  attributesAt,
  attributesOf,
  conditionsOf,
  fitting,
  formOf,
  put,
  schema,
  valuesOf,
  type Side,
} from "../support/rows";

const types = Object.keys(schema).filter((type) => !/network_acl|rate_limit_policy|organization_members?$/.test(type));
const all = Object.keys(placeholders).map((name) => `{${name}}`);

/** Rows of a person that show everything. */
const rowsFor = (type: string): Row[] => [
  { type, path: "**", change: "any", level: "high", text: `${all.join(" ")}.` },
  ...["create", "destroy", "replace"].map((change): Row => ({
    type,
    change,
    level: "high",
    text: `${all.join(" ")}.`,
  })),
];

const surroundings = { tag: "t", version: "1.0.0", environment: {} };

async function formsOf(changes: readonly Values[], rules: readonly Row[], more: Values = {}): Promise<string> {
  const tenants = tenantsIn([{ name: "plan", plan: plan(changes, more) }]).map((one) =>
    reviewTenant(one, { rules: { rows: rules, changes: [] } }),
  );
  const texts = await Promise.all(formats.map((format) => rendered(format, tenants, surroundings)));
  return texts.join("\n").replace(/ at=\S+/, "");
}

/** The word in the form. */
function valueOf(form: string, word: string, key: string): unknown {
  const value = / map string/.test(` ${form}`) ? { [key]: word } : word;
  return /^(?:set|list) /.test(form) ? [value] : value;
}

interface Planted {
  readonly before: Values;
  readonly after: Values;
  readonly marks: Marks;
}

/** The object with a secret at each path, old and new, and marks there. */
function planted(type: string, paths: readonly string[], key = "SENTINEL-key.x"): Planted {
  const [before, after, marks] = [{ id: `${type}_id` }, { id: `${type}_id` }, {}] as Record<string, unknown>[];
  for (const [index, one] of paths.entries()) {
    const names = one.split(".");
    const form = schema[type]![one]!;
    put(before!, names, valueOf(form, `SENTINEL-old-${index}`, key));
    put(after!, names, valueOf(form, `SENTINEL-new-${index}`, key));
    put(marks!, names, true);
  }
  return { before: before!, after: after!, marks: marks as Marks };
}

const changed = (type: string, { before, after, marks }: Planted, actions: readonly string[]): Values => ({
  address: `${type}.x`,
  mode: "managed",
  type,
  change: {
    actions,
    before: actions.join() === "create" ? null : before,
    after: actions.join() === "delete" ? null : after,
    after_unknown: {},
    before_sensitive: actions.join() === "create" ? false : marks,
    after_sensitive: actions.join() === "delete" ? false : marks,
  },
});

const everyAction = [["update"], ["delete"], ["create"], ["delete", "create"]].map((actions) => [actions]);

const textsOf = (type: string, wanted: RegExp) =>
  Object.keys(schema[type]!).filter((one) => one !== "id" && wanted.test(schema[type]![one]!));

/** One plan with all types. */
async function leakIn(actions: readonly string[], plantedIn: (type: string) => Planted) {
  const changes = types.map((type) => changed(type, plantedIn(type), actions));
  const text = await formsOf(changes, types.flatMap(rowsFor));
  expect(text.match(/"kind": "row"/g)!.length).toBeGreaterThan(50);
  const at = text.indexOf("SENTINEL");
  return at < 0 ? undefined : text.slice(Math.max(0, at - 80), at + 30);
}

describe.each(everyAction)("%j of every type", (actions) => {
  test.each([
    ["the schema marks", /string.*sensitive/],
    ["a plan may mark", /string/],
  ])("every text that %s", async (_what, wanted) => {
    expect(await leakIn(actions, (type) => planted(type, textsOf(type, wanted)))).toBeUndefined();
  });

  test("the keys and elements of what a plan marks as a whole", async () => {
    const wholly = (type: string) => {
      const { before, after } = planted(type, textsOf(type, /string/));
      const marks = Object.fromEntries(Object.keys(before).flatMap((name) => (name === "id" ? [] : [[name, true]])));
      return { before, after, marks };
    };
    expect(await leakIn(actions, wholly)).toBeUndefined();
    expect(await leakIn(actions, (type) => ({ ...wholly(type), marks: true }))).toBeUndefined();
  });
});

/** Without a mark of the plan. */
const unmarked: Readonly<Record<string, string>> = {
  auth0_action: "code secrets.value",
  auth0_action_module: "code",
  auth0_client: "encryption_key",
  auth0_client_credentials: "private_key_jwt.credentials.pem self_signed_tls_client_auth.credentials.pem",
  auth0_connection:
    "options.signing_key.key options.decryption_key.key options.auth_params options.upstream_params options.consumer_secret " +
    "options.session_key options.custom_scripts options.scripts options.custom_headers.value options.configuration " +
    "options.gateway_authentication.secret",
  auth0_encryption_key_manager: "customer_provided_root_key.wrapped_key",
  auth0_flow_vault_connection: "setup",
  auth0_guardian: "phone.options.sid push.direct_apns.p12",
  auth0_hook: "script secrets",
  auth0_log_stream: "sink.http_custom_headers sink.http_authorization",
  auth0_phone_provider: "configuration.sid",
  auth0_resource_server: "signing_secret token_encryption.encryption_key.pem",
  auth0_rule: "script",
  auth0_rule_config: "value",
  auth0_user: "password",
};
test.each(Object.entries(unmarked).flatMap(([type, paths]) => paths.split(" ").map((one) => [type, one] as const)))(
  "a secret that the provider does not mark: %s %s",
  async (type, attribute) => {
    const plain = { ...planted(type, [attribute], "header"), marks: {} };
    const text = await formsOf([changed(type, plain, ["update"])], rowsFor(type));
    expect(text).not.toContain("SENTINEL");
    expect(text).toContain("(sensitive)");
  },
);

test("a user and a password in a URL", async () => {
  const [before, after] = ["a", "b"].map((host) => ({ id: "x", support_url: `https://u:SENTINEL@${host}.example` }));
  const text = await formsOf(
    [changed("auth0_tenant", { before: before!, after: after!, marks: {} }, ["update"])],
    rowsFor("auth0_tenant"),
  );
  expect(text).not.toContain("SENTINEL");
  expect(text).toContain("b.example");
});

const client = { id: "abc", client_id: "abc", name: "SENTINEL" };
const grant = { id: "g", client_id: "abc", audience: "https://api.example" };
const lost = { ...changed("auth0_client_grant", { before: grant, after: {}, marks: {} }, ["delete"]) };
const nameMark = { name: true };
const kept = (before_sensitive: Values, after_sensitive: Values): Values => ({
  ...changed("auth0_client", { before: client, after: client, marks: {} }, ["no-op"]),
  change: { actions: ["no-op"], before: client, after: client, before_sensitive, after_sensitive },
});
const granted = {
  actions: ["create"],
  before: null,
  after: { audience: "https://api.example" },
  after_unknown: { client_id: true },
  before_sensitive: false,
  after_sensitive: {},
};
const address = "auth0_client_grant.y";
const expressions = { client_id: { references: ["auth0_client.x.id", "auth0_client.x"] } };

test.each<[string, Values[], Values]>([
  ["the state marks", [], prior(inState("auth0_client.x", client, { sensitive_values: nameMark }))],
  ["the plan marks before the change", [kept(nameMark, nameMark)], {}],
  ["only the new side of the plan marks", [kept({}, nameMark)], prior(inState("auth0_client.x", client))],
  [
    "the plan creates",
    [
      changed("auth0_client", { before: {}, after: { ...client, id: undefined }, marks: nameMark }, ["create"]),
      { ...lost, address, change: granted },
    ],
    { configuration: { root_module: { resources: [{ address, expressions }] } } },
  ],
])("the name of an object that %s, where another object refers to it", async (_what, changes, more) => {
  const text = await formsOf([...changes, lost], [], more);
  expect(text).not.toContain("SENTINEL");
  expect(text).toContain('"abc"');
});

/** One plan with an object for each path. `sides`: the values of each object. It marks the value at the path. */
const markedPlan = (paths: readonly (readonly [type: string, path: string, actions: readonly string[], ...Side[]])[]) =>
  formsOf(
    paths.map(([type, at, actions, before, after], index) => {
      const [was, is] = [before, after].map((side) => ({ id: `x${index}`, name: "N", ...side }));
      const marks = put({}, at.split("."), true) as Marks;
      return { ...changed(type, { before: was!, after: is!, marks }, actions), address: `${type}.x${index}` };
    }),
    [],
  );

const isFlag = (form: string) => formOf(form) === "bool";
const attributes = types.flatMap((type) =>
  attributesOf(type).flatMap(([name, form]) => {
    const own = valuesOf(formOf(form));
    return own ? [{ type, name, form, own }] : [];
  }),
);

test.each<[string, (flag: boolean) => number[]]>([
  ["is emptied", () => [1, 0]],
  ["gets a value", () => [0, 1]],
  ["has the other value", () => [2, 1]],
  ["is created, and a flag is off", (flag) => [flag ? 0 : 2]],
])("what a plan marks tells nothing by its effects: each attribute %s", async (_what, pick) => {
  const planOf = (how: (flag: boolean) => number[]) =>
    markedPlan(
      attributes.map(({ type, name, form, own }) => {
        const sides = how(isFlag(form)).map((index) => put({}, name.split("."), own[index]));
        return [
          type,
          name,
          sides.length === 1 ? ["create"] : ["update"],
          ...sides,
          ...(sides.length === 1 ? sides : []),
        ];
      }),
    );
  expect(await planOf(pick)).toBe(await planOf((flag) => (pick(flag).length === 1 ? [1] : [1, 2])));
});

test("what a plan marks tells nothing by its effects: each value that the condition of a row reads", async () => {
  const planOf = (isWanted: boolean) =>
    markedPlan(
      table.flatMap((row) =>
        Object.entries(row.when ?? {}).map(([name, wanted]) => {
          const value = fitting(wanted.split("|")[0]!);
          const other = typeof value === "boolean" ? !value : "other";
          const [at, [pair]] = (row.path && attributesAt(row.type, row.path.split("|")[0]!, row.change)[0]) || [
            "id",
            [],
          ];
          const sides = [0, 1].map((side) => {
            const own = pair
              ? put(conditionsOf(row, false), at.split("."), pair[side as 0 | 1])
              : conditionsOf(row, false);
            return put(own, name.split("."), isWanted ? value : other);
          });
          return [row.type, name, actionsOf[row.change] ?? ["update"], ...sides] as const;
        }),
      ),
    );
  expect(await planOf(true)).toBe(await planOf(false));
});
