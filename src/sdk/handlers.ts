/** The calls of Terraform for one provider: decodes, checks and explains around what the provider defines. */
import type { ProviderHandlers } from "../plugin/handlers";
import type { Diagnostic as ProtocolDiagnostic, DynamicValue } from "../plugin/protocol/tfplugin6";
import { applyResource } from "./apply-resource";
import { createCodec } from "./codec";
import { isError } from "./diagnostic";
import { callable } from "./functions";
import { createIdentityCodec } from "./identity";
import { find, lazyMap } from "./lazy";
import { createListing, readyList } from "./list";
import { toPlain } from "./plain";
import { join, planChange } from "./plan";
import { planResource } from "./plan-resource";
import { readResource } from "./read-resource";
import type { Provider, Resource } from "./resource";
import { schemaCalls, type Catalog } from "./schema-calls";
import type { Managed } from "./session";
import { stateImport } from "./state-import";
import { createSurroundings, type SurroundingsOptions } from "./surroundings";

/** The handlers of one provider process. They return every error as a diagnostic. */
export function handlersOf<Client extends { stop(): void }>(
  provider: Provider<Client>,
  options: SurroundingsOptions,
): ProviderHandlers {
  const catalog = catalogOf(provider);
  const { block, resources, dataSources, lists } = catalog;
  const surroundings = createSurroundings(provider, resources, options);
  const { session, context, explain } = surroundings;
  const listing = createListing(lists, { findResource: surroundings.find, context, explain });

  const handlers: ProviderHandlers = {
    ...schemaCalls(catalog),
    validateListResourceConfig: listing.validateListResourceConfig,

    async configureProvider({ config, terraformVersion }) {
      const written = block.decode(config) ?? {};
      const diagnostics = block.check(written).filter(isError);
      const known = toPlain(written) as Record<string, unknown>;
      if (diagnostics.length === 0) await surroundings.configure(known, terraformVersion);
      return { diagnostics };
    },

    async readDataSource({ typeName, config }) {
      const { source, codec } = await find(dataSources, typeName);
      const written = codec.decode(config) ?? {};
      const diagnostics = codec.check(written).filter(isError);
      if (diagnostics.length > 0) return { diagnostics };
      const { planned: asked } = planChange(codec.attributes, null, written);
      const computed = await source.read(codec.known(asked), context(diagnostics));
      return { state: codec.encode(join(codec, asked, computed)), diagnostics };
    },

    async stopProvider() {
      session()?.client?.stop();
      return { Error: "" };
    },

    ...stateImport(provider.version, surroundings),
    ...readResource(surroundings),
    ...planResource(surroundings),
    ...applyResource(surroundings),
  };

  const during = (name: string, work: () => Promise<unknown>) => {
    const current = session();
    return current && counted.has(name) ? current.registry.during(work) : work();
  };
  // A list reports an error as one of its events.
  return { ...guarded(handlers, explain, during), listResource: listing.listResource };
}

function catalogOf<Client extends { stop(): void }>(provider: Provider<Client>): Catalog<Client> {
  const prefix = `${provider.name}_`;
  return {
    block: createCodec({ config: provider.config, rules: provider.rules, description: "" }),
    resources: lazyMap(provider.resources, managed, prefix),
    dataSources: lazyMap(provider.dataSources, (source) => ({ source, codec: createCodec(source.definition) }), prefix),
    functions: lazyMap(provider.functions ?? {}, callable),
    lists: lazyMap(provider.lists ?? {}, readyList, prefix),
  };
}

function managed<Client>(resource: Resource<Client>): Managed<Client> {
  const { definition, upgrades = [] } = resource;
  return {
    resource,
    codec: createCodec(definition, upgrades.length),
    identity: createIdentityCodec(definition),
  };
}

/** The calls of which plans and applies consist. */
const counted: ReadonlySet<string> = new Set([
  "readResource",
  "planResourceChange",
  "applyResourceChange",
  "readDataSource",
  "importResourceState",
]);

/** Returns a thrown error as a diagnostic. A change that failed leaves the state as it was. */
function guarded(
  handlers: ProviderHandlers,
  explain: (error: unknown) => ProtocolDiagnostic,
  during: (name: string, work: () => Promise<unknown>) => Promise<unknown>,
): ProviderHandlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      async (request: { priorState?: DynamicValue }) => {
        try {
          return await during(name, () => (handle as (request: unknown) => Promise<unknown>)(request));
        } catch (error) {
          const diagnostic = explain(error);
          if (name === "callFunction") {
            // Terraform puts a full stop after the text, which must not become part of the link.
            const text = `${diagnostic.summary}: ${diagnostic.detail}`.replace(/\n\n(https:\S+)$/, " ($1)");
            return { error: { text } };
          }
          return { newState: request.priorState, diagnostics: [diagnostic] };
        }
      },
    ]),
  ) as ProviderHandlers;
}
