/** Terraform's calls for lists, by which people find what to import. */
import type { ProviderHandlers } from "../plugin/handlers";
import type { ListResource_Event } from "../plugin/protocol/tfplugin6";
import { type Codec, createCodec } from "./codec";
import { find, type LazyMap, type ListResource } from "./resource";
import type { Surroundings } from "./session";
import type { Identity } from "./definition";
import { isError } from "./diagnostic";

/** A list and the bytes of its filter. */
export interface ReadyList<Client> {
  readonly list: ListResource<Client>;
  readonly codec: Codec;
}

export const readyList = <Client>(list: ListResource<Client>): ReadyList<Client> => ({
  list,
  codec: createCodec({ description: list.description, config: list.filter }),
});

export function createListing<Client>(
  lists: LazyMap<ReadyList<Client>>,
  { find: findResource, context, explain }: Pick<Surroundings<Client>, "find" | "context" | "explain">,
): Required<Pick<ProviderHandlers, "validateListResourceConfig" | "listResource">> {
  return {
    async validateListResourceConfig({ typeName, config }) {
      const { codec } = await find(lists, typeName);
      return { diagnostics: codec.check(codec.decode(config)) };
    },

    async *listResource({ typeName, config, includeResourceObject, limit }) {
      try {
        const found = await find(lists, typeName);
        const filter = found.codec.decode(config) ?? {};
        const wrong = found.codec.check(filter).filter(isError);
        if (wrong.length > 0) return yield { diagnostic: wrong };
        const { codec, identity } = await findResource(typeName);
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
  };
}
