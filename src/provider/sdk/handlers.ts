/** The calls of Terraform for one provider: decodes, checks and explains around what the provider defines. */
import { attributePath } from "../../formats/cty/path";
import type { ObjectValue, Value } from "../../formats/cty/value";
import type { ProviderHandlers } from "../plugin/handlers";
import type { Diagnostic as ProtocolDiagnostic, DynamicValue } from "../plugin/protocol/tfplugin6";
import { applyResource } from "./apply";
import { type Codec, createCodec, createIdentityCodec } from "./codec";
import { isError, protocolDiagnostic } from "./diagnostic";
import {
  type DataSource,
  each,
  find as findIn,
  lazyMap,
  type LazyMap,
  once,
  type Provider,
  type ProviderBlock,
  type Resource,
} from "./resource";
import {
  checkedAccount,
  createSurroundings,
  isHopeless,
  type Managed,
  openPrivate,
  partsFor,
  reportOnce,
  sealPrivate,
  type Session,
  type Surroundings,
  type SurroundingsOptions,
} from "./session";
import { type Identity, identityOf, type Known } from "./definition";
import { createListing, readyList, type ReadyList } from "./list";
import { toPlain, withBlanks } from "./values";
import { join, planChange, planResource } from "./plan";
import { stateImport } from "./state-import";
import { strangeParts, strangeReport } from "./check";

/** The handlers of one provider process. They return every error as a diagnostic. */
export function handlersOf<Client extends { stop(): void }>(
  provider: Provider<Client>,
  options: SurroundingsOptions,
): ProviderHandlers {
  const catalog = catalogOf(provider);
  const { block, resources, dataSources, lists } = catalog;
  const surroundings = createSurroundings(provider, resources, options);
  const { session, context, explain } = surroundings;
  const listing = createListing(lists, surroundings);

  const handlers: ProviderHandlers = {
    ...schemaCalls(catalog, session),
    validateListResourceConfig: listing.validateListResourceConfig,

    async configureProvider({ config, terraformVersion }) {
      const { codec, configure } = await block();
      const written = codec.decode(config) ?? {};
      const diagnostics = codec.check(written).filter(isError);
      const known = toPlain(written) as Record<string, unknown>;
      if (diagnostics.length === 0) surroundings.begin(await configure(known, { terraformVersion, log: options.log }));
      return { diagnostics };
    },

    async readDataSource({ typeName, config }) {
      const { source, codec } = await findIn(dataSources, typeName);
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

const serverCapabilities = {
  planDestroy: true,
  moveResourceState: true,
  getProviderSchemaOptional: true,
  generateResourceConfig: true,
};

interface Catalog<Client> {
  readonly block: () => Promise<Pick<ProviderBlock<Client>, "configure"> & { readonly codec: Codec }>;
  readonly resources: LazyMap<Managed<Client>>;
  readonly dataSources: LazyMap<{ readonly source: DataSource<Client>; readonly codec: Codec }>;
  readonly lists: LazyMap<ReadyList<Client>>;
}

/** The calls that need no tenant: schemas and validation. */
function schemaCalls<Client>(
  { block, resources, dataSources, lists }: Catalog<Client>,
  session: () => Session<Client> | undefined,
) {
  return {
    async getMetadata() {
      return {
        serverCapabilities,
        resources: [...resources.keys()].map((typeName) => ({ typeName })),
        dataSources: [...dataSources.keys()].map((typeName) => ({ typeName })),
        listResources: [...lists.keys()].map((typeName) => ({ typeName })),
        functions: [],
      };
    },

    async getProviderSchema() {
      return {
        serverCapabilities,
        provider: (await block()).codec.schema(),
        resourceSchemas: await each(resources, ({ codec }) => codec.schema()),
        dataSourceSchemas: await each(dataSources, ({ codec }) => codec.schema()),
        listResourceSchemas: await each(lists, ({ codec }) => codec.schema()),
        functions: {},
      };
    },

    async getResourceIdentitySchemas() {
      return { identitySchemas: await each(resources, ({ identity }) => identity.schema()) };
    },

    async getFunctions() {
      return { functions: {} };
    },

    async validateProviderConfig({ config }) {
      const { codec } = await block();
      return { diagnostics: codec.check(codec.decode(config)) };
    },

    async validateResourceConfig({ typeName, config, clientCapabilities }) {
      const { codec } = await findIn(resources, typeName);
      const written = codec.decode(config);
      const early = clientCapabilities?.writeOnlyAttributesAllowed ? [] : tooEarly(codec, written);
      // Terraform asks before each plan and in each apply. Only the plan knows the values of variables, so it warns.
      const isPlan = session() !== undefined && session()?.registry.phase !== "apply";
      const found = codec.check(written).filter((one) => isPlan || isError(one));
      return { diagnostics: [...found, ...early] };
    },

    async validateDataResourceConfig({ typeName, config }) {
      const { codec } = await findIn(dataSources, typeName);
      return { diagnostics: codec.check(codec.decode(config)) };
    },
  } satisfies ProviderHandlers;
}

/** An older Terraform would write write-only values into plans and states. */
function tooEarly({ attributes }: Codec, written: ObjectValue | null): ProtocolDiagnostic[] {
  return attributes
    .filter(({ name, writeOnly }) => writeOnly && (written?.[name] ?? null) !== null)
    .map(({ name }) =>
      protocolDiagnostic({
        path: attributePath(name),
        severity: "error",
        code: ["TNF-INVALID-VALUE", name],
        detail: `\`${name}\` is write-only, which takes Terraform or OpenTofu 1.11: use that, or the attribute that others know.`,
      }),
    );
}

function catalogOf<Client extends { stop(): void }>(provider: Provider<Client>): Catalog<Client> {
  const prefix = `${provider.name}_`;
  return {
    block: once(provider.block, (block) => ({ ...block, codec: createCodec({ ...block, description: "" }) })),
    resources: lazyMap(provider.resources, managed, prefix),
    dataSources: lazyMap(provider.dataSources, (source) => ({ source, codec: createCodec(source.definition) }), prefix),
    lists: lazyMap(provider.lists ?? {}, readyList, prefix),
  };
}

function managed<Client>(resource: Resource<Client>): Managed<Client> {
  const { definition, upgrades = [] } = resource;
  return { resource, codec: createCodec(definition, upgrades.length), identity: createIdentityCodec(definition) };
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
          return { newState: request.priorState, diagnostics: [diagnostic] };
        }
      },
    ]),
  ) as ProviderHandlers;
}

function readResource<Client>(surroundings: Surroundings<Client>): Required<Pick<ProviderHandlers, "readResource">> {
  const { find, session, context, warnings } = surroundings;
  return {
    async readResource({ typeName, currentState, currentIdentity, private: kept }) {
      const { resource, codec, identity: identityCodec } = await find(typeName);
      const prior = codec.decode(currentState);
      if (!prior) return { newState: codec.encode(null), private: kept };
      const diagnostics: ProtocolDiagnostic[] = [];
      const unread = { newState: currentState, newIdentity: currentIdentity, private: kept, diagnostics };
      const registry = session()?.registry;
      const { objectKey = registry?.createObjectKey(), account: noted, adopted } = openPrivate(kept);
      const around = context(diagnostics);
      const known = codec.known(prior);
      const { name } = resource.definition;
      const identity = identityOf(resource.definition, known);
      registry?.touch("plan");
      if (adopted && identity) registry?.adopts(name, identity, objectKey!, adopted);
      if (session()?.client === undefined) {
        around.warn(
          "TNF-NOT-COMPARED",
          `${resource.title(known)}: part of the provider's configuration is only known after apply, so the plan uses ` +
            "the state alone.",
        );
        return unread;
      }
      if (isHopeless(session())) return unread;
      let found: object | undefined;
      let account = noted;
      try {
        // First the read: a token of an earlier process may be for an account that is no longer at this address.
        const reading = resource.read(known, around);
        await reading.catch(() => {});
        account = await checkedAccount(surroundings, { account: noted, title: () => resource.title(known) });
        found = await reading;
      } catch (error) {
        diagnostics.push(...reportOnce(surroundings, error));
        return unread;
      }
      // Another call has found another tenant meanwhile, and the object is not looked for there.
      if (!found && isHopeless(session())) return unread;
      const isTaken = found && identity && registry?.seen(name, identity, objectKey, found as Known);
      // Each call sees the objects that other calls read at the same time.
      if (resource.partOf) await new Promise(setImmediate);
      if (!found) {
        around.warn(
          "TNF-GONE",
          `The service no longer has ${resource.title(known)}. Terraform removes it from the state. If the configuration still has it, ` +
            "Terraform will create it again. If this plan refuses to do that in a `terraform destroy`, run `terraform destroy -refresh=false`.",
        );
      }
      const { attributes } = codec;
      const strange = strangeParts({ kind: "object", attributes }, found as Value | undefined);
      if (strange.length > 0)
        diagnostics.push(protocolDiagnostic(strangeReport("warning", resource.title({ ...known, ...found }), strange)));
      diagnostics.push(...warnings());
      return {
        newState: codec.encode(withBlanks(codec.attributes, codec.fromPlain(found), prior)),
        newIdentity: identityCodec.encode(found as Identity | undefined),
        private: sealPrivate({
          objectKey,
          account,
          adopted,
          ...(isTaken && { successor: identity }),
          ...(strange.length > 0 && { strange }),
          others: found && partsFor(resource, found as Known, registry, { objectKey }),
        }),
        diagnostics,
      };
    },
  };
}
