/** Plans one change for Terraform. */
import type { ProviderHandlers } from "../plugin/handlers";
import { accountFor, notedForNew } from "./account-check";
import { identityOf, type Identity } from "./definition";
import { isError, protocolPath } from "./diagnostic";
import { toPlain } from "./plain";
import { changeOf, planChange } from "./plan";
import { openPrivate, sealPrivate } from "./private";
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
        const change = prior && ({ action: "destroy", prior: codec.known(prior) } as const);
        const registry = session()?.registry;
        // An applying process plans no deletion, and `terraform destroy` plans them in a process that reads nothing.
        if (registry?.phase === undefined) registry?.touch("destroy");
        // The refresh before it, in a process of its own, checked the account. The apply checks it again; here it would cost a token.
        const reviewed = change && (await review(surroundings, resource, before, change));
        return {
          plannedState: codec.encode(null),
          plannedIdentity: priorIdentity,
          plannedPrivate: sealPrivate({
            objectKey: reviewed?.objectKey,
            account: before.account,
            own: before.own,
          }),
          diagnostics: [...(reviewed?.diagnostics ?? []), ...warnings()],
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
      const reviewed = diagnostics.length === 0 ? await review(surroundings, resource, before, change) : undefined;
      const objectKey = reviewed?.objectKey ?? before.objectKey;
      return {
        plannedState: codec.encode(planned),
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
        diagnostics: [...(reviewed?.diagnostics ?? diagnostics), ...warnings()],
      };
    },
  };
}
