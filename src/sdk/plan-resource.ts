/** Plans one change for Terraform. */
import type { ProviderHandlers } from "../plugin/handlers";
import { accountFor } from "./account-check";
import { identityOf, type Identity, type Known } from "./definition";
import { isError, protocolPath } from "./diagnostic";
import { toPlain } from "./plain";
import { changeOf, endOf, planChange } from "./plan";
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
        const registry = session()?.registry;
        const { objectKey } = before;
        const change = prior ? endOf(resource.definition, codec.known(prior), { objectKey }, registry) : undefined;
        // An applying process plans no deletion, and `terraform destroy` plans them in a process that reads nothing.
        if (registry?.phase === undefined) registry?.touch("destroy");
        const { errors } = await accountOf(surroundings, resource, before, change?.prior);
        const reviewed =
          change && errors.length === 0 ? await review(surroundings, resource, before, change) : undefined;
        return {
          plannedState: codec.encode(null),
          plannedIdentity: priorIdentity,
          plannedPrivate: sealPrivate({
            objectKey: reviewed?.objectKey,
            account: before.account,
            own: before.own,
          }),
          diagnostics: [...(reviewed?.diagnostics ?? errors), ...warnings()],
        };
      }
      const { definition } = resource;
      const diagnostics = codec.check(written).filter(isError);
      const { planned, replace } = planChange(codec.attributes, prior, written, definition.derive, before.own);
      const change = changeOf(codec, prior, planned, replace, before.replaced?.identity);
      const { account, errors } =
        diagnostics.length === 0
          ? await accountOf(surroundings, resource, before, change.prior)
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
          account,
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

/** Checks each object of a state, changed or not: with -refresh=false, nothing else tells that a new object would go to another tenant. */
const accountOf = <Client>(
  surroundings: Surroundings<Client>,
  resource: Resource<Client>,
  { account }: Private,
  prior: Known | undefined,
) =>
  prior && account
    ? accountFor(surroundings, { account, title: () => resource.title(prior) })
    : Promise.resolve({ account, errors: [] });
