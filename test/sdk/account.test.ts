/** A plan and a state are applied only with the account that they are for. */
import type { Account, Accounts } from "../../src/sdk/account";
import { unknown } from "../../src/cty/value";
import { host, serve, thing, type Client } from "./support/serving";

interface Here {
  readonly address: string;
  /** undefined: the credentials do not name it. */
  readonly account?: Account;
  /** Whether the plan has credentials already. */
  readonly isKnown?: boolean;
  readonly isExpected?: boolean;
}

/** A process of the provider, and the calls that ask for credentials. */
async function open(
  { address, account, isKnown = false, isExpected = false }: Here,
  saved: readonly Uint8Array[] = [],
) {
  const calls: string[] = [];
  const accounts: Accounts<Client> = {
    known: () => (isKnown ? account : undefined),
    address: () => address,
    stay: () => {},
    current: async () => {
      calls.push("credentials");
      return account;
    },
    isExpected: () => isExpected,
    remedy: ({ id }, of) => `Use ${id} for the ${of}.`,
  };
  const { call } = serve(
    thing({ create: async () => ({ id: String(calls.push("create")) }) }),
    { accounts },
    undefined,
    saved,
  );
  await call("configureProvider", { config: undefined });
  return { calls, ...host(call) };
}

const [staging, production] = ["staging", "production"].map((id): Account => ({ id, name: `${id}.example` }));
const custom = "login.example";

const others = [
  Buffer.from("no JSON"),
  Buffer.from('{"objectKey":"x"}'),
  Buffer.from('[{"address":"b"}]'),
  Buffer.from(""),
];

/** The calls and the error of an apply whose plan only creates an object. Terraform plans it again right before, without private data. */
async function applied(planned: Here, now: Here) {
  const before = await open(planned);
  const { plannedPrivate } = await before.plan(null, { size: 1, id: null });
  const after = await open(now, [...others, plannedPrivate]);
  const again = await after.plan(null, { size: 1, id: null });
  const { diagnostics } = await after.apply(null, { size: 1, id: unknown }, again.plannedPrivate);
  return {
    planning: before.calls,
    applying: after.calls,
    errors: diagnostics as { summary: string; detail: string }[],
  };
}

test.each<[string, Here, Here]>([
  ["the address of the plan", { address: "a" }, { address: "a", account: staging! }],
  [
    "the account of the plan at another address",
    { address: custom, account: staging!, isKnown: true },
    { address: "a", account: staging! },
  ],
  ["the account that the plan named as its address", { address: "staging" }, { address: custom, account: staging! }],
  ["an account that the person expects", { address: "a" }, { address: "b", account: production!, isExpected: true }],
  ["credentials that name no account, at the same address", { address: "a" }, { address: "a" }],
])("creates an object with %s, and the plan asks for no credentials", async (_, planned, now) => {
  expect(await applied(planned, now)).toEqual({ planning: [], applying: ["credentials", "create"], errors: [] });
});

test.each<[string, Here, Here, string]>([
  [
    "another address",
    { address: "a" },
    { address: "b", account: production! },
    "made for a, but the provider's configuration is for production.example",
  ],
  [
    "another account at the same address",
    { address: "a", account: staging!, isKnown: true },
    { address: "a", account: production! },
    "made for staging.example, but",
  ],
  [
    "another address without a known account",
    { address: "a" },
    { address: "b" },
    "made for a, but the provider's configuration is for b. Nothing was changed. Use b for the plan.",
  ],
])("refuses %s before the first write", async (_, planned, now, words) => {
  const { planning, applying, errors } = await applied(planned, now);
  expect([planning, applying]).toEqual([[], ["credentials"]]);
  expect(errors).toMatchObject([{ summary: "The plan is for another tenant", detail: expect.stringContaining(words) }]);
});

test("creates an object if no note of the plan tells a tenant", async () => {
  const { calls, plan, apply } = await open({ address: "a", account: staging! }, others);
  const { plannedPrivate } = await plan(null, { size: 1, id: null });
  expect((await apply(null, { size: 1, id: unknown }, plannedPrivate)).diagnostics).toEqual([]);
  expect(calls).toEqual(["credentials", "create"]);
});
