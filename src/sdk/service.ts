/** A provider as Terraform's calls: decoding, checking, planning and explaining around what resources do. */
import { valueFromJson } from "../cty/json";
import { unknown, type ObjectValue, type Value } from "../cty/value";
import type { ProviderHandlers } from "../plugin/handlers";
import type { Log } from "../plugin/log";
import { Diagnostic_Severity, type Diagnostic, type DynamicValue } from "../plugin/protocol/tfplugin6";
import { check } from "./check";
import { Codec, type Defined } from "./codec";
import { diagnosticOf, protocolPath } from "./diagnostic";
import { toPlain } from "./plain";
import { planChange } from "./plan";
import { Incomplete, Refusal, type Context, type Provider } from "./resource";

const serverCapabilities = { planDestroy: true, getProviderSchemaOptional: true };

/** The handlers of one provider process. Nothing that goes wrong in them leaves as anything but a diagnostic. */
export function providerService<Client extends { stop(): void }>(
  provider: Provider<Client>,
  { log }: { log: Log },
): ProviderHandlers {
  const block = new Codec<Defined>({ config: provider.config, rules: provider.rules, description: "" });
  const resources = byTypeName(provider.name, provider.resources);
  const dataSources = byTypeName(provider.name, provider.dataSources);
  let session: { client?: Client } | undefined;

  function contextFor(diagnostics: Diagnostic[]): Context<Client> {
    return {
      get client(): Client {
        if (session?.client) return session.client;
        throw new Refusal(
          "The provider's configuration is not known yet",
          `Part of the provider "${provider.name}" block is only known after apply, so the service cannot be asked now. ` +
            "Apply first what that part depends on (terraform apply -target=…), or give the value directly.",
        );
      },
      log,
      warn: (summary, detail) => diagnostics.push(diagnosticOf({ severity: "warning", summary, detail, path: [] })),
    };
  }

  function explain(error: unknown): Diagnostic {
    if (error instanceof Incomplete) return explain(error.cause);
    const { summary, detail, path = [] } = error instanceof Refusal ? error : provider.explain(error);
    log("error", summary, { detail });
    return diagnosticOf({ severity: "error", summary, detail, path });
  }

  const handlers: ProviderHandlers = {
    async getMetadata() {
      return {
        serverCapabilities,
        resources: [...resources.keys()].map((typeName) => ({ typeName })),
        dataSources: [...dataSources.keys()].map((typeName) => ({ typeName })),
      };
    },

    async getProviderSchema() {
      return {
        serverCapabilities,
        provider: block.schema(),
        resourceSchemas: schemas(resources),
        dataSourceSchemas: schemas(dataSources),
      };
    },

    async validateProviderConfig({ config }) {
      return { diagnostics: faultsOf(block, block.decode(config)) };
    },

    async validateResourceConfig({ typeName, config }) {
      const codec = find(resources, typeName);
      return { diagnostics: faultsOf(codec, codec.decode(config)) };
    },

    async validateDataResourceConfig({ typeName, config }) {
      const codec = find(dataSources, typeName);
      return { diagnostics: faultsOf(codec, codec.decode(config)) };
    },

    async configureProvider({ config, terraformVersion }) {
      const written = block.decode(config) ?? {};
      const diagnostics = faultsOf(block, written);
      if (!diagnostics.some(isError)) {
        session = { client: provider.configure(toPlain(written), { terraformVersion, log }) };
      }
      return { diagnostics };
    },

    async upgradeResourceState({ typeName, version, rawState }) {
      const codec = find(resources, typeName);
      if (version > codec.definition.version) {
        throw new Refusal(
          "The state is of a newer version of the provider",
          `This state of ${typeName} has schema version ${version}, and provider ${provider.version} knows up to ` +
            `${codec.definition.version}. Use the version of the provider that wrote it, or a later one.`,
        );
      }
      const stored = Buffer.from(rawState?.json ?? "null").toString();
      return { upgradedState: codec.encode(valueFromJson(stored, codec.type)) };
    },

    async importResourceState({ typeName, id }) {
      const codec = find(resources, typeName);
      const diagnostics: Diagnostic[] = [];
      const identified = await codec.definition.import(id, contextFor(diagnostics));
      return { importedResources: [{ typeName, state: codec.encode(codec.fromPlain(identified)) }], diagnostics };
    },

    async moveResourceState({ sourceTypeName, targetTypeName }) {
      throw new Refusal(
        `Cannot move ${sourceTypeName} to ${targetTypeName}`,
        `${targetTypeName} takes over no state of other resource types yet. Import the object instead ` +
          `(an import block with its id), and forget the old one with a removed block.`,
      );
    },

    async readResource({ typeName, currentState, private: memory }) {
      const codec = find(resources, typeName);
      const prior = codec.decode(currentState);
      if (!prior) return { newState: codec.encode(null), private: memory };
      const diagnostics: Diagnostic[] = [];
      const context = contextFor(diagnostics);
      if (session && !session.client) {
        context.warn(
          "Not compared with the service",
          `${codec.definition.title(codec.known(prior))}: part of the provider block is only known after apply, so ` +
            "the plan goes by the state alone.",
        );
        return { newState: currentState, private: memory, diagnostics };
      }
      const found = await codec.definition.read(codec.known(prior), context);
      if (!found) {
        context.warn(
          "Gone from the service",
          `The service knows nothing of ${codec.definition.title(codec.known(prior))} any more. It leaves the state; ` +
            "if the configuration still has it, it will be created anew.",
        );
      }
      return { newState: codec.encode(codec.fromPlain(found)), private: memory, diagnostics };
    },

    async planResourceChange({ typeName, priorState, proposedNewState, config, priorPrivate }) {
      const codec = find(resources, typeName);
      const written = codec.decode(config);
      if (!codec.decode(proposedNewState) || !written) {
        return { plannedState: codec.encode(null), plannedPrivate: priorPrivate };
      }
      const diagnostics = faultsOf(codec, written).filter(isError);
      const { planned, replace } = planChange(codec.attributes, codec.decode(priorState), written);
      return {
        plannedState: codec.encode(planned),
        requiresReplace: replace.map(protocolPath),
        plannedPrivate: priorPrivate,
        diagnostics,
      };
    },

    async applyResourceChange({ typeName, priorState, plannedState, config, plannedPrivate }) {
      const codec = find(resources, typeName);
      const prior = codec.decode(priorState);
      const planned = codec.decode(plannedState);
      const diagnostics = faultsOf(codec, codec.decode(config)).filter(isError);
      const answer = (newState: Value) => ({ newState: codec.encode(newState), private: plannedPrivate, diagnostics });
      if (diagnostics.length > 0) return answer(prior);

      const { create, update, delete: destroy } = codec.definition;
      const context = contextFor(diagnostics);
      try {
        if (planned) {
          const wanted = codec.known(planned);
          const computed = prior ? await update(wanted, codec.known(prior), context) : await create(wanted, context);
          return answer(join(codec, planned, computed));
        }
        if (prior) await destroy(codec.known(prior), context);
        return answer(null);
      } catch (error) {
        diagnostics.push(explain(error));
        if (!(error instanceof Incomplete)) return answer(prior);
        return answer(join(codec, planned ?? prior ?? {}, error.state));
      }
    },

    async readDataSource({ typeName, config }) {
      const codec = find(dataSources, typeName);
      const written = codec.decode(config) ?? {};
      const diagnostics = faultsOf(codec, written).filter(isError);
      if (diagnostics.length > 0) return { diagnostics };
      const { planned: asked } = planChange(codec.attributes, null, written);
      const computed = await codec.definition.read(codec.known(asked), contextFor(diagnostics));
      return { state: codec.encode(join(codec, asked, computed)), diagnostics };
    },

    async getFunctions() {
      return {};
    },

    async stopProvider() {
      session?.client?.stop();
      return { Error: "" };
    },
  };

  return guarded(handlers, explain);
}

function faultsOf(codec: Codec<Defined>, value: ObjectValue | null): Diagnostic[] {
  return value ? check(codec.checkable, toPlain(value)).map(diagnosticOf) : [];
}

/** What was planned, with what is now known besides; nothing stays unknown. */
function join(codec: Codec<Defined>, planned: ObjectValue, computed: { readonly [name: string]: unknown }): Value {
  const added = codec.fromPlain(computed) as ObjectValue;
  return Object.fromEntries(
    codec.attributes.map(({ name }) => {
      const known = planned[name] === unknown ? null : (planned[name] ?? null);
      return [name, name in computed ? (added[name] ?? null) : known];
    }),
  );
}

function byTypeName<D extends Defined & { name: string }>(prefix: string, definitions: readonly D[]) {
  return new Map(definitions.map((definition) => [`${prefix}_${definition.name}`, new Codec(definition)]));
}

function schemas(codecs: ReadonlyMap<string, Codec<Defined>>) {
  return Object.fromEntries([...codecs].map(([typeName, codec]) => [typeName, codec.schema()]));
}

function find<D extends Defined>(codecs: ReadonlyMap<string, Codec<D>>, typeName: string): Codec<D> {
  const codec = codecs.get(typeName);
  if (codec) return codec;
  throw new Refusal(`Unknown type ${typeName}`, `This provider has ${[...codecs.keys()].join(", ")}.`);
}

function isError({ severity }: Diagnostic): boolean {
  return severity === Diagnostic_Severity.ERROR;
}

/** Every handler, with what it throws answered as a diagnostic; a change that failed leaves the state as it was. */
function guarded(handlers: ProviderHandlers, explain: (error: unknown) => Diagnostic): ProviderHandlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      async (request: { priorState?: DynamicValue }) => {
        try {
          return await (handle as (request: unknown) => Promise<unknown>)(request);
        } catch (error) {
          return { newState: request.priorState, diagnostics: [explain(error)] };
        }
      },
    ]),
  ) as ProviderHandlers;
}
