/** A provider as Terraform's calls: decoding, checking and explaining around what it defines. */
import { attributePath } from "../cty/path";
import type { ObjectValue } from "../cty/value";
import type { ProviderHandlers } from "../plugin/handlers";
import type { Log } from "../plugin/log";
import type { Diagnostic as ProtocolDiagnostic, DynamicValue } from "../plugin/protocol/tfplugin6";
import { createCodec, type Codec } from "./codec";
import { stateImport } from "./state-import";
import { createIdentityCodec } from "./identity";
import { createListing, readyList } from "./list";
import { createPlanRegistry, type RegistryOptions } from "./plan-registry";
import { lifecycle, openSession, type Managed, type Session } from "./lifecycle";
import { toPlain } from "./plain";
import { each, find, lazyMap } from "./lazy";
import { join, planChange } from "./plan";
import { DiagnosticError, isError, protocolDiagnostic } from "./diagnostic";
import { callable } from "./functions";
import { Incomplete, type Context, type Provider, type Resource } from "./resource";

const serverCapabilities = {
  planDestroy: true,
  moveResourceState: true,
  getProviderSchemaOptional: true,
  generateResourceConfig: true,
};

/** The handlers of one provider process. Nothing that goes wrong in them leaves as anything but a diagnostic. */
export function handlersOf<Client extends { stop(): void }>(
  provider: Provider<Client>,
  { log, registry }: { log: Log; registry?: RegistryOptions },
): ProviderHandlers {
  const block = createCodec({ config: provider.config, rules: provider.rules, description: "" });
  const prefix = `${provider.name}_`;
  const resources = lazyMap(provider.resources, managed, prefix);
  const dataSources = lazyMap(
    provider.dataSources,
    (source) => ({ source, codec: createCodec(source.definition) }),
    prefix,
  );
  const functions = lazyMap(provider.functions ?? {}, callable);
  const lists = lazyMap(provider.lists ?? {}, readyList, prefix);
  const remarked = new Set<string>();
  let session: Session<Client> | undefined;

  /** Two configurations of one tenant in one process share the planned changes, for example if Terraform attaches to the process. */
  function succeeding(earlier: Session<Client> | undefined, client: Client | undefined): Session<Client> {
    if (!earlier?.client || !client || !earlier.registry.isOpen())
      return openSession(client, createPlanRegistry(registry));
    const both = provider.join?.(earlier.client, client);
    return both ? { ...earlier, client: both } : openSession(client, createPlanRegistry(registry));
  }

  function context(diagnostics: ProtocolDiagnostic[], privateState: Record<string, unknown> = {}): Context<Client> {
    return {
      get client(): Client {
        if (session?.client) return session.client;
        throw new DiagnosticError(
          "The provider's configuration is not known yet",
          `Part of the configuration of the provider "${provider.name}" is only known after apply, so the service cannot be asked now. ` +
            "Apply first what that part depends on (with -target=…), or give the value directly.",
        );
      },
      log,
      privateState,
      warn: (summary, detail) =>
        diagnostics.push(protocolDiagnostic({ severity: "warning", summary, detail, path: [] })),
    };
  }

  function explain(error: unknown): ProtocolDiagnostic {
    if (error instanceof Incomplete) return explain(error.cause);
    const { summary, detail, path = [] } = error instanceof DiagnosticError ? error : provider.explain(error);
    log("error", summary, { detail });
    return protocolDiagnostic({ severity: "error", summary, detail, path });
  }

  const listing = createListing(lists, {
    findResource: (typeName) => find(resources, typeName),
    context,
    explain,
  });

  const handlers: ProviderHandlers = {
    async getMetadata() {
      return {
        serverCapabilities,
        resources: [...resources.keys()].map((typeName) => ({ typeName })),
        dataSources: [...dataSources.keys()].map((typeName) => ({ typeName })),
        listResources: [...lists.keys()].map((typeName) => ({ typeName })),
        functions: [...functions.keys()].map((name) => ({ name })),
      };
    },

    async getProviderSchema() {
      return {
        serverCapabilities,
        provider: block.schema(),
        resourceSchemas: await each(resources, ({ codec }) => codec.schema()),
        dataSourceSchemas: await each(dataSources, ({ codec }) => codec.schema()),
        listResourceSchemas: await each(lists, ({ codec }) => codec.schema()),
        functions: await each(functions, ({ protocol }) => protocol),
      };
    },

    async getResourceIdentitySchemas() {
      return { identitySchemas: await each(resources, ({ identity }) => identity.schema()) };
    },

    async getFunctions() {
      return { functions: await each(functions, ({ protocol }) => protocol) };
    },

    async callFunction({ name, arguments: given }) {
      return (await find(functions, name)).call(given);
    },

    async validateProviderConfig({ config }) {
      return { diagnostics: block.check(block.decode(config)) };
    },

    async validateResourceConfig({ typeName, config, clientCapabilities }) {
      const { codec } = await find(resources, typeName);
      const written = codec.decode(config);
      const early = clientCapabilities?.writeOnlyAttributesAllowed ? [] : tooEarly(codec, written);
      return { diagnostics: [...codec.check(written), ...early] };
    },

    async validateDataResourceConfig({ typeName, config }) {
      const { codec } = await find(dataSources, typeName);
      return { diagnostics: codec.check(codec.decode(config)) };
    },

    async configureProvider({ config, terraformVersion }) {
      const written = block.decode(config) ?? {};
      const diagnostics = block.check(written).filter(isError);
      if (diagnostics.length === 0) {
        const known = toPlain(written) as Record<string, unknown>;
        session = succeeding(session, await provider.configure(known, { terraformVersion, log }));
      }
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

    validateListResourceConfig: listing.validateListResourceConfig,

    async stopProvider() {
      session?.client?.stop();
      return { Error: "" };
    },

    ...stateImport(provider.version, {
      find: (typeName) => find(resources, typeName),
      session: () => session,
      context,
    }),

    ...lifecycle({
      log,
      find: (typeName) => find(resources, typeName),
      session: () => session,
      context,
      explain,
      causeOf: (error) => provider.explain(error),
      remarks() {
        const remarks = session?.client && provider.remarks ? provider.remarks(session.client) : [];
        const fresh = remarks.filter(({ summary }) => !remarked.has(summary));
        for (const { summary } of fresh) remarked.add(summary);
        return fresh.map((remark) => protocolDiagnostic({ ...remark, path: [] }));
      },
    }),
  };

  // What goes wrong in a list is one of its events.
  const during = (name: string, work: () => Promise<unknown>) => {
    return session && counted.has(name) ? session.registry.during(work) : work();
  };
  return { ...guarded(handlers, explain, during), listResource: listing.listResource };
}

/** Write-only values given to a core that would put them into plans and states. */
function tooEarly({ attributes }: Codec, written: ObjectValue | null): ProtocolDiagnostic[] {
  return attributes
    .filter(({ name, writeOnly }) => writeOnly && (written?.[name] ?? null) !== null)
    .map(({ name }) =>
      protocolDiagnostic({
        path: attributePath(name),
        severity: "error",
        summary: `Invalid ${name}`,
        detail: `\`${name}\` is write-only, which takes Terraform or OpenTofu 1.11: use that, or the attribute that others know.`,
      }),
    );
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

/** Every handler, with what it throws answered as a diagnostic; a change that failed leaves the state as it was. */
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
          if (name === "callFunction") return { error: { text: `${diagnostic.summary}: ${diagnostic.detail}` } };
          return { newState: request.priorState, diagnostics: [diagnostic] };
        }
      },
    ]),
  ) as ProviderHandlers;
}
