/** Plans one change for Terraform. */
import type { ProviderHandlers } from "../plugin/handlers";
import { accountFor, notedForNew } from "./account-check";
import { identityOf, type Identity, type Known } from "./definition";
import { isError, protocolPath } from "./diagnostic";
import { isKept, outlives, reportOldEntry, revisited } from "./leftover";
import { toPlain } from "./plain";
import { changeOf, planChange } from "./plan";
import { openPrivate, sealPrivate, type Private } from "./private";
import type { Resource } from "./resource";
import { review } from "./review";
import type { Surroundings } from "./session";

export function planResource<Client>(
  surroundings: Surroundings<Client>,
): Required<Pick<ProviderHandlers, "planResourceChange">> {
  const { find, session, warnings } = surroundings;
  return {
    async planResourceChange({ typeName, priorState, proposedNewState, config, priorPrivate, priorIdentity }) {
      const { resource, codec, identity } = await find(typeName);
      const prior = codec.decode(priorState);
      // Only the proposed state tells that Terraform destroys the object; the planned one follows from the configuration.
      const written = codec.decode(proposedNewState) && codec.decode(config);
      const before = openPrivate(priorPrivate);
      if (!written) {
        const planned = prior && (await planDestroy(surroundings, resource, before, codec.known(prior)));
        return {
          plannedState: codec.encode(null),
          plannedIdentity: priorIdentity,
          plannedPrivate: sealPrivate({ account: before.account, own: before.own, objectKey: planned?.objectKey }),
          diagnostics: [...(planned?.diagnostics ?? []), ...warnings()],
        };
      }
      const { definition } = resource;
      const diagnostics = codec.check(written).filter(isError);
      const { planned, replace } = planChange(codec.attributes, prior, written, definition.derive, before.own);
      const change = changeOf(codec, prior, planned, replace, before.replaced?.identity);
      const { account, errors } =
        change.prior && change.action !== "keep" && diagnostics.length === 0
          ? await accountFor(surroundings, { ...before, title: () => resource.title(codec.known(prior!)) })
          : { account: before.account, errors: [] };
      diagnostics.push(...errors);
      const registry = session()?.registry;
      const isKeeper = registry !== undefined && outlives(registry, definition, before.own, change);
      const reviewed =
        diagnostics.length === 0
          ? await review(surroundings, resource, before, change, { outlives: isKeeper })
          : undefined;
      const objectKey = reviewed?.objectKey ?? before.objectKey;
      return {
        plannedState: codec.encode(
          isKeeper && change.action === "keep" ? revisited(codec.attributes, planned) : planned,
        ),
        plannedIdentity: identity.encode(toPlain(planned) as Identity),
        requiresReplace: replace.map(protocolPath),
        plannedPrivate: sealPrivate({
          objectKey,
          ...(change.prior || account ? { account } : notedForNew(surroundings)),
          own: before.own,
          ...(reviewed?.again && { reviewAgain: true }),
          successor: identityOf(definition, codec.known(planned)),
          replaced: prior ? { objectKey, identity: identityOf(definition, codec.known(prior)) } : before.replaced,
        }),
        diagnostics: [
          ...(reviewed?.diagnostics ?? diagnostics),
          ...(isKeeper ? reportOldEntry(session()!, resource, change.prior!) : []),
          ...warnings(),
        ],
      };
    },
  };
}

/** The refresh, in a process of its own, has checked the account. The apply checks it again; here it would cost a token. */
async function planDestroy<Client>(
  surroundings: Surroundings<Client>,
  resource: Resource<Client>,
  before: Private,
  prior: Known,
) {
  const { objectKey, diagnostics } = await review(surroundings, resource, before, { action: "destroy", prior });
  const session = surroundings.session();
  if (!session || !isKept(session.registry, resource.definition, objectKey, prior)) return { objectKey, diagnostics };
  return { objectKey, diagnostics: reportOldEntry(session, resource, prior) };
}
