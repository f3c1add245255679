/** Makes the calls of Pulumi's bridge, which differ from Terraform's. */
import { decode, encode } from "@msgpack/msgpack";
import type { PluginClient } from "../plugin/support/client";

export type Values = Record<string, unknown>;

interface Block {
  readonly attributes: readonly { readonly name: string }[];
  readonly blockTypes: readonly { readonly typeName: string; readonly nesting: number; readonly block: Block }[];
}
interface Schemas {
  readonly provider: { readonly block: Block };
  readonly resourceSchemas: Readonly<Record<string, { readonly block: Block }>>;
}
export interface Diagnosed {
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

/** The data that the engine keeps for an object. */
export interface Held {
  readonly state: Values;
  readonly private: Uint8Array;
}

/** The objects of one type. The bridge plans each one for the preview and again for the update, in one process. */
export interface Objects {
  plan(given: Values, prior?: Held): Promise<Diagnosed>;
  /** Rejects if the provider refuses the preview. */
  update(given: Values, prior?: Held): Promise<Diagnosed & Held>;
  /** Without a plan. */
  destroy(prior: Held): Promise<Diagnosed & Held>;
  /** Calls that the bridge makes only on request. */
  refresh(prior: Held): Promise<Diagnosed & Held>;
  import(id: string): Promise<Diagnosed>;
}

const list = 2;
const set = 3;
const bytes = (value: unknown) => ({ msgpack: encode(value) });
export const errors = ({ diagnostics }: Diagnosed) => diagnostics.filter(({ severity }) => severity === 1);

/** The given values, and null for the others. */
function whole({ attributes, blockTypes }: Block, given: Values): Values {
  const values: Values = {};
  for (const { name } of attributes) values[name] = given[name] ?? null;
  for (const { typeName, nesting, block } of blockTypes) {
    const inner = given[typeName] as Values | undefined;
    const made = inner && whole(block, inner);
    values[typeName] = nesting === list || nesting === set ? (made ? [made] : []) : (made ?? null);
  }
  return values;
}

/** Configures the provider as the bridge does. `provider`: the values of its block. */
export async function startBridge(client: PluginClient, provider: Values = {}): Promise<(typeName: string) => Objects> {
  const schemas = await client.ask<Schemas>("provider", "getProviderSchema");
  const config = bytes(whole(schemas.provider.block, provider));
  const terraformVersion = "1.0.0+pulumi-terraform-bridge";
  expect(await client.ask("provider", "configureProvider", { terraformVersion, config })).toEqual({ diagnostics: [] });

  return (typeName) => {
    const { block } = schemas.resourceSchemas[typeName]!;
    const request = (given: Values, prior?: Held) => {
      const wanted = whole(block, given);
      const proposed = { ...prior?.state };
      for (const [name, value] of Object.entries(wanted)) proposed[name] = value ?? prior?.state[name] ?? null;
      return { typeName, config: bytes(wanted), priorState: bytes(prior?.state ?? null), proposed };
    };
    const plan = (given: Values, prior?: Held) => {
      const { proposed, ...asked } = request(given, prior);
      return client.ask<Planned>("provider", "planResourceChange", {
        ...asked,
        proposedNewState: bytes(proposed),
        priorPrivate: prior?.private,
      });
    };
    const apply = async (asked: object) => {
      const applied = await client.ask<Applied>("provider", "applyResourceChange", { typeName, ...asked });
      return { ...applied, state: decode(applied.newState.msgpack) as Values };
    };
    return {
      plan,
      async update(given, prior) {
        const [refused] = errors(await plan(given, prior));
        if (refused) throw new Error(refused.summary);
        const planned = await plan(given, prior);
        expect(errors(planned)).toEqual([]);
        const { proposed: _, ...asked } = request(given, prior);
        return apply({ ...asked, plannedState: planned.plannedState, plannedPrivate: planned.plannedPrivate });
      },
      destroy: ({ state }) => apply({ priorState: bytes(state), plannedState: bytes(null), config: bytes(null) }),
      async refresh({ state, private: kept }) {
        const asked = { typeName, currentState: bytes(state), private: kept };
        const read = await client.ask<Applied>("provider", "readResource", asked);
        return { ...read, state: decode(read.newState.msgpack) as Values };
      },
      import: (id) => client.ask<Diagnosed>("provider", "importResourceState", { typeName, id }),
    };
  };
}
