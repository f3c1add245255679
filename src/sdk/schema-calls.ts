/** Terraform's calls that need no tenant: schemas, validation and functions. */
import { attributePath } from "../cty/path";
import type { ObjectValue } from "../cty/value";
import type { ProviderHandlers } from "../plugin/handlers";
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import type { Codec } from "./codec";
import { protocolDiagnostic } from "./diagnostic";
import type { Callable } from "./functions";
import { each, find, type LazyMap } from "./lazy";
import type { ReadyList } from "./list";
import type { DataSource } from "./resource";
import type { Managed } from "./session";

const serverCapabilities = {
  planDestroy: true,
  moveResourceState: true,
  getProviderSchemaOptional: true,
  generateResourceConfig: true,
};

export interface ReadyDataSource<Client> {
  readonly source: DataSource<Client>;
  readonly codec: Codec;
}

export interface Catalog<Client> {
  readonly block: Codec;
  readonly resources: LazyMap<Managed<Client>>;
  readonly dataSources: LazyMap<ReadyDataSource<Client>>;
  readonly functions: LazyMap<Callable>;
  readonly lists: LazyMap<ReadyList<Client>>;
}

export function schemaCalls<Client>({ block, resources, dataSources, functions, lists }: Catalog<Client>) {
  return {
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
