/** Terraform's calls for lists, by which people find what to import. */
import type { ProviderHandlers } from "../plugin/handlers";
import type { Diagnostic as ProtocolDiagnostic, ListResource_Event } from "../plugin/protocol/tfplugin6";
import { createCodec, type Codec } from "./codec";
import type { Identity } from "./definition";
import { isError } from "./diagnostic";
import type { Managed } from "./lifecycle";
import type { Context, ListResource } from "./resource";

/** A list and the bytes of its filter. */
interface Known<Client> {
  readonly list: ListResource<Client>;
  readonly codec: Codec;
}

export interface ListSurroundings<Client> {
  /** Prefix of every type name. */
  readonly prefix: string;
  find(typeName: string): Managed<Client>;
  context(diagnostics: ProtocolDiagnostic[]): Context<Client>;
  explain(error: unknown): ProtocolDiagnostic;
}

export interface Listing {
  /** By type name. */
  readonly codecs: ReadonlyMap<string, { readonly codec: Codec }>;
  readonly calls: Required<Pick<ProviderHandlers, "validateListResourceConfig" | "listResource">>;
}

export function createListing<Client>(
  lists: readonly ListResource<Client>[],
  { prefix, find, context, explain }: ListSurroundings<Client>,
): Listing {
  const known = new Map<string, Known<Client>>();
  for (const list of lists) {
    const { definition, description, filter } = list;
    known.set(`${prefix}_${definition.name}`, { list, codec: createCodec({ description, config: filter }) });
  }
  return {
    codecs: known,
    calls: {
      async validateListResourceConfig({ typeName, config }) {
        const codec = known.get(typeName)?.codec;
        return { diagnostics: codec?.check(codec.decode(config)) };
      },

      async *listResource({ typeName, config, includeResourceObject, limit }) {
        const found = known.get(typeName);
        if (!found) return;
        try {
          const filter = found.codec.decode(config) ?? {};
          const wrong = found.codec.check(filter).filter(isError);
          if (wrong.length > 0) return yield { diagnostic: wrong };
          const { codec, identity } = find(typeName);
          let left = limit > 0 ? limit : Infinity;
          for await (const { title, known: part, read } of found.list.list(found.codec.known(filter), context([]))) {
            const state = includeResourceObject ? await read() : undefined;
            if (includeResourceObject && !state) continue;
            const event: ListResource_Event = {
              displayName: title,
              identity: identity.encode(part as Identity),
              ...(state && { resourceObject: codec.encode(codec.fromPlain(state)) }),
            };
            yield event;
            if (--left <= 0) return;
          }
        } catch (error) {
          yield { diagnostic: [explain(error)] };
        }
      },
    },
  };
}
