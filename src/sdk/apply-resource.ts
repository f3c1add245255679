/** Applies one change for Terraform. */
import type { ObjectValue } from "../cty/value";
import type { ProviderHandlers } from "../plugin/handlers";
import type { Diagnostic as ProtocolDiagnostic } from "../plugin/protocol/tfplugin6";
import { accountFor, knownAccount } from "./account-check";
import { identityOf, type Change, type Definition, type Known } from "./definition";
import { completed, departures } from "./derived";
import { isError } from "./diagnostic";
import { changeOf, endOf, join, wantedOf } from "./plan";
import type { PlanRegistry } from "./plan-registry";
import { openPrivate, sealPrivate, type Private } from "./private";
import { Incomplete } from "./resource";
import { review } from "./review";
import { notDone, reportOnce, type Managed, type Surroundings } from "./session";

interface Applied {
  readonly prior: ObjectValue | null;
  readonly planned: ObjectValue | null;
  readonly written: ObjectValue | null;
  readonly kept: Private;
  readonly objectKey: string | undefined;
  readonly diagnostics: ProtocolDiagnostic[];
}

export function applyResource<Client>(
  surroundings: Surroundings<Client>,
): Required<Pick<ProviderHandlers, "applyResourceChange">> {
  const { find, session, warnings } = surroundings;
  return {
    async applyResourceChange({ typeName, priorState, plannedState, config, plannedPrivate }) {
      const managed = await find(typeName);
      const { resource, codec, identity } = managed;
      const prior = codec.decode(priorState);
      const written = codec.decode(config);
      const kept = openPrivate(plannedPrivate);
      const now = written && wantedOf(codec.attributes, written, resource.definition.derive, kept.own);
      const planned = completed(codec, codec.decode(plannedState), now);
      session()?.registry.touch("apply");
      const existing = planned ? kept.objectKey : (kept.replaced?.objectKey ?? kept.objectKey);
      const objectKey = existing ?? session()?.registry.createObjectKey();
      const diagnostics = codec.check(written).filter(isError);
      if (planned && now && diagnostics.length === 0) diagnostics.push(...departures(codec, planned, now));
      const title = () => resource.title(codec.known((prior ?? planned)!));
      const { account, errors } = prior
        ? await accountFor(surroundings, { account: kept.account, title }, notDone)
        : { account: undefined, errors: [] };
      diagnostics.push(...errors);
      const applied = { prior, planned, written, kept, objectKey, diagnostics };
      if (!diagnostics.some(isError)) diagnostics.push(...(await refusals(surroundings, managed, applied)));
      if (diagnostics.some(isError) && objectKey !== undefined) session()?.registry.failed(objectKey);
      const newState = diagnostics.some(isError) ? prior : await write(surroundings, managed, applied);
      const accountNow = prior ? account : knownAccount(surroundings);
      return {
        newState: codec.encode(newState),
        newIdentity: identity.encode(newState && codec.known(newState)),
        private: sealPrivate({ objectKey, account: accountNow, own: kept.own }),
        diagnostics: [...diagnostics, ...warnings()],
      };
    },
  };
}

/** Terraform does not plan a destroy again when it applies, and some engines never plan one, so each is reviewed here. */
async function refusals<Client>(
  surroundings: Surroundings<Client>,
  { resource, codec }: Managed<Client>,
  { prior, planned, kept, objectKey }: Applied,
): Promise<ProtocolDiagnostic[]> {
  const isEnd = prior && !planned && !kept.replaced;
  if (!isEnd && !(planned && kept.reviewAgain)) return [];
  const change: Change = planned
    ? changeOf(codec, prior, planned, [], kept.replaced?.identity)
    : endOf(resource.definition, codec.known(prior!), kept, surroundings.session()?.registry);
  const { diagnostics } = await review(surroundings, resource, { ...kept, objectKey }, change, { isApply: true });
  return diagnostics.filter(isError);
}

/** Returns the new state, also if the write fails. */
async function write<Client>(
  surroundings: Surroundings<Client>,
  { resource, codec }: Managed<Client>,
  { prior, planned, written, kept, objectKey, diagnostics }: Applied,
): Promise<ObjectValue | null> {
  const registry = surroundings.session()?.registry;
  const around = surroundings.context(diagnostics, kept.own);
  const notes = notesFor(registry, resource.definition, objectKey);
  const before = prior ? codec.known(prior) : undefined;
  const wanted = planned ? codec.known(planned) : undefined;
  const secret = written ? codec.writeOnly(written) : {};
  try {
    if (planned && wanted) {
      notes.made(wanted);
      const whole = { ...wanted, ...secret };
      const computed = before ? await resource.update(whole, before, around) : await resource.create(whole, around);
      const state = join(codec, planned, computed);
      notes.made(codec.known(state));
      return state;
    }
    if (before) {
      const successor = notes.madeByOther(before) ?? kept.successor ?? (kept.replaced && {});
      await resource.delete(before, around, successor);
      notes.gone(before);
    }
    return null;
  } catch (error) {
    diagnostics.push(...reportOnce(surroundings, error, notDone));
    const state = error instanceof Incomplete ? join(codec, planned ?? prior ?? {}, error.state) : prior;
    if (state) notes.made(codec.known(state));
    else if (wanted) notes.gone(wanted);
    if (objectKey !== undefined && !(error instanceof Incomplete)) registry?.failed(objectKey);
    return state;
  }
}

/** Notes in the registry how one object changes. */
function notesFor(registry: PlanRegistry | undefined, definition: Definition, objectKey: string | undefined) {
  const note = (known: Known, state: Known | undefined) => {
    if (objectKey !== undefined) registry?.made(definition.name, objectKey, identityOf(definition, known), state);
  };
  return {
    made: (known: Known) => note(known, known),
    gone: (known: Known) => note(known, undefined),
    madeByOther(known: Known) {
      const identity = identityOf(definition, known);
      return identity && registry?.madeByOther(definition.name, objectKey, identity);
    },
  };
}
