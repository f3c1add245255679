/** Reads one object for Terraform. */
import type { ProviderHandlers } from "../plugin/handlers";
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import { checkedAccount } from "./account";
import { withBlanks } from "./blank";
import { identityOf, type Identity } from "./definition";
import { isHopeless, openPrivate, reportOnce, sealPrivate, type Surroundings } from "./session";

export function readResource<Client>(
  surroundings: Surroundings<Client>,
): Required<Pick<ProviderHandlers, "readResource">> {
  const { find, session, context, warnings } = surroundings;
  return {
    async readResource({ typeName, currentState, currentIdentity, private: kept }) {
      const { resource, codec, identity: identityCodec } = await find(typeName);
      const prior = codec.decode(currentState);
      if (!prior) return { newState: codec.encode(null), private: kept };
      const diagnostics: ProtocolDiagnostic[] = [];
      const unread = { newState: currentState, newIdentity: currentIdentity, private: kept, diagnostics };
      const { objectKey = session()?.registry.createObjectKey(), account: noted } = openPrivate(kept);
      const around = context(diagnostics);
      const known = codec.known(prior);
      session()?.registry.touch("plan");
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
      const identity = identityOf(resource.definition, known);
      if (found && identity) session()?.registry.seen(resource.definition.name, identity);
      if (!found) {
        around.warn(
          "TNF-GONE",
          `The service no longer has ${resource.title(known)}. Terraform removes it from the state. If the configuration still has it, ` +
            "Terraform will create it again.",
        );
      }
      diagnostics.push(...warnings());
      return {
        newState: codec.encode(withBlanks(codec.attributes, codec.fromPlain(found), prior)),
        newIdentity: identityCodec.encode(found as Identity | undefined),
        private: sealPrivate({ objectKey, account }),
        diagnostics,
      };
    },
  };
}
