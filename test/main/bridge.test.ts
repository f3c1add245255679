/** The provider under Pulumi's bridge: the calls that it makes, which are not Terraform's, in a process of the shipped provider. */
import { decode, encode } from "@msgpack/msgpack";
import { createEmulator, type Emulator } from "../../src/emulator/emulator";
import type { PluginClient } from "../plugin/support/client";
import { greet, startProgram } from "../plugin/support/program";
import { executable } from "../support/installation";

type Values = Record<string, unknown>;
interface Block {
  readonly attributes: readonly { readonly name: string }[];
  readonly blockTypes: readonly { readonly typeName: string; readonly nesting: number; readonly block: Block }[];
}
interface Schemas {
  readonly provider: { readonly block: Block };
  readonly resourceSchemas: Readonly<Record<string, { readonly block: Block }>>;
}
interface Diagnosed {
  readonly diagnostics: readonly { readonly severity: number; readonly summary: string; readonly detail: string }[];
}
interface Planned extends Diagnosed {
  readonly plannedState: { readonly msgpack: Uint8Array };
  readonly plannedPrivate: Uint8Array;
}
interface Applied extends Diagnosed {
  readonly newState: { readonly msgpack: Uint8Array };
  readonly private: Uint8Array;
}

const organization = "org_bridge0000000001";
const users = ["auth0|ada", "auth0|grace", "auth0|edsger"];

let emulator: Emulator;
let url: string;
let client: PluginClient;
let schemas: Schemas;
const closing: (() => unknown)[] = [];
beforeEach(async () => {
  emulator = createEmulator({ seed: { organizations: [{ id: organization, name: "acme" }] } });
  const tenant = await emulator.listen();
  closing.push(() => tenant.close());
  url = tenant.url;
  await startProvider();
});

async function startProvider(): Promise<void> {
  const started = startProgram(executable, {
    env: {
      TENANT_ENDPOINT: url,
      TENANT_CLIENT_ID: emulator.clientId,
      TENANT_CLIENT_SECRET: emulator.clientSecret,
    },
  });
  client = await greet(started);
  closing.push(
    () => started[Symbol.asyncDispose](),
    () => client.close(),
  );
  schemas = await client.ask<Schemas>("provider", "getProviderSchema");
  const config = bytes(whole(schemas.provider.block, {}));
  const terraformVersion = "1.0.0+pulumi-terraform-bridge";
  expect(await client.ask("provider", "configureProvider", { terraformVersion, config })).toEqual({ diagnostics: [] });
}
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const bytes = (value: unknown) => ({ msgpack: encode(value) });
const list = 2;

/** What is given, with null for what is not. */
function whole({ attributes, blockTypes }: Block, given: Values): Values {
  const values: Values = {};
  for (const { name } of attributes) values[name] = given[name] ?? null;
  for (const { typeName, nesting, block } of blockTypes) {
    const inner = given[typeName] as Values | undefined;
    const made = inner && whole(block, inner);
    values[typeName] = nesting === list || nesting === 3 ? (made ? [made] : []) : (made ?? null);
  }
  return values;
}

interface Held {
  readonly state: Values;
  readonly private: Uint8Array;
}

/** An object as the bridge treats it: planned for the preview and planned again for the update, in one process. */
function objectOf(typeName: string) {
  const blockOf = () => schemas.resourceSchemas[typeName]!.block;
  const request = (given: Values, prior?: Held) => {
    const config = whole(blockOf(), given);
    const proposed = { ...prior?.state };
    for (const [name, value] of Object.entries(config)) proposed[name] = value ?? prior?.state[name] ?? null;
    return { typeName, config: bytes(config), priorState: bytes(prior?.state ?? null), proposed };
  };
  const plan = (given: Values, prior?: Held) => {
    const { proposed, ...asked } = request(given, prior);
    const proposedNewState = bytes(proposed);
    return client.ask<Planned>("provider", "planResourceChange", {
      ...asked,
      proposedNewState,
      priorPrivate: prior?.private,
    });
  };
  return {
    plan,
    async update(given: Values, prior?: Held): Promise<Applied & Held> {
      for (const { severity, summary } of (await plan(given, prior)).diagnostics) {
        if (severity === 1) throw new Error(summary);
      }
      const { plannedState, plannedPrivate, diagnostics } = await plan(given, prior);
      expect(diagnostics.filter(({ severity }) => severity === 1)).toEqual([]);
      const { proposed: _, ...asked } = request(given, prior);
      const applied = await client.ask<Applied>("provider", "applyResourceChange", {
        ...asked,
        plannedState,
        plannedPrivate,
      });
      return { ...applied, state: decode(applied.newState.msgpack) as Values };
    },
    /** Without a plan. */
    destroy: (prior: Held) =>
      client.ask<Applied>("provider", "applyResourceChange", {
        typeName,
        priorState: bytes(prior.state),
        plannedState: bytes(null),
        config: bytes(null),
      }),
    import: (id: string) => client.ask<Diagnosed>("provider", "importResourceState", { typeName, id }),
  };
}

const set = objectOf("tenant_organization_member_set");
const policy = objectOf("tenant_rate_limit_policy");
const members = () =>
  emulator
    .snapshot()
    .organizations[0]!.members.map(([id]) => id)
    .toSorted();
const errors = ({ diagnostics }: Diagnosed) => diagnostics.filter(({ severity }) => severity === 1);

test("a member set is made and updated, though each is planned twice", async () => {
  const made = await set.update({ organization_id: organization, members: users.slice(0, 2) });
  expect(errors(made)).toEqual([]);
  const updated = await set.update({ organization_id: organization, members: users }, made);
  expect(errors(updated)).toEqual([]);
  expect(members()).toEqual(users.toSorted());
});

test("two sets for one organization are found", async () => {
  await set.plan({ organization_id: organization, members: users.slice(0, 1) });
  await set.plan({ organization_id: organization, members: users.slice(0, 1) });
  const second = await set.plan({ organization_id: organization, members: users.slice(1) });
  expect(errors(second)).toMatchObject([{ summary: expect.stringContaining("Two sets for one organization") }]);
});

test("a destroy that no plan announced is judged when it comes", async () => {
  const made = await set.update({ organization_id: organization, members: users, max_removals: 1 });
  expect(errors(made)).toEqual([]);
  const refused = await set.destroy(made);
  expect(errors(refused)).toHaveLength(1);
  expect(members()).toEqual(users.toSorted());
  expect(decode(refused.newState.msgpack)).toEqual(made.state);
});

test("a rename is refused where it would be taken over and then deleted, in the host's words", async () => {
  const given = { consumer_selector: "default", configuration: { action: "allow" } };
  const earlier = await policy.update(given);
  expect(errors(earlier)).toEqual([]);
  // The next run is a process of its own, which knows nothing of the one before.
  await startProvider();
  const again = await policy.update(given);
  expect(errors(again)).toMatchObject([{ summary: "Already there", detail: expect.stringContaining("`aliases`") }]);
  expect(errors(await policy.destroy(earlier))).toEqual([]);
  expect(emulator.store.rateLimitPolicies.size).toBe(0);
});

test("what is not there is not imported", async () => {
  expect(errors(await policy.import("rlp_4iRjCsFv3kbK8qCcXRt1aB"))).toMatchObject([{ summary: "Nothing to import" }]);
});
