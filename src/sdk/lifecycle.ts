/** Read, plan and apply: what Terraform asks for one object, around what its resource does. */
import { equal, unknown, type ObjectValue, type Value } from "../cty/value";
import type { ProviderHandlers } from "../plugin/handlers";
import type { Log } from "../plugin/log";
import type { Diagnostic } from "../plugin/protocol/tfplugin6";
import { isError, type Codec } from "./codec";
import type { Change } from "./definition";
import { diagnosticOf, protocolPath } from "./diagnostic";
import { toPlain } from "./plain";
import { planChange } from "./plan";
import { openPrivate, sealPrivate } from "./private";
import { Incomplete, type Context, type Resource } from "./resource";
import type { Session } from "./session";

/** A resource and the bytes of its values. */
export interface Managed<Client> {
  readonly resource: Resource<Client>;
  readonly codec: Codec;
}

/** What the calls of one process share. */
export interface Surroundings<Client> {
  readonly log: Log;
  find(typeName: string): Managed<Client>;
  /** Undefined before the provider is configured. */
  session(): Session<Client> | undefined;
  context(diagnostics: Diagnostic[], memory?: Record<string, unknown>): Context<Client>;
  explain(error: unknown): Diagnostic;
  /** What people should know of the work so far. */
  remarks(): Diagnostic[];
}

type Calls = Pick<ProviderHandlers, "readResource" | "planResourceChange" | "applyResourceChange">;

export function lifecycle<Client>({ log, find, session, context, explain, remarks }: Surroundings<Client>): Calls {
  return {
    async readResource({ typeName, currentState, private: kept }) {
      const { resource, codec } = find(typeName);
      const prior = codec.decode(currentState);
      if (!prior) return { newState: codec.encode(null), private: kept };
      const diagnostics: Diagnostic[] = [];
      const { memory } = openPrivate(kept);
      const around = context(diagnostics, memory);
      const known = codec.known(prior);
      session()?.touch();
      if (session()?.client === undefined) {
        around.warn(
          "Not compared with the service",
          `${resource.title(known)}: part of the provider block is only known after apply, so the plan goes ` +
            "by the state alone.",
        );
        return { newState: currentState, private: kept, diagnostics };
      }
      const found = await resource.read(known, around);
      if (!found) {
        around.warn(
          "Gone from the service",
          `The service knows nothing of ${resource.title(known)} any more. It leaves the state; if the ` +
            "configuration still has it, it will be created anew.",
        );
      }
      diagnostics.push(...remarks());
      return { newState: codec.encode(codec.fromPlain(found)), private: sealPrivate({ memory }), diagnostics };
    },

    async planResourceChange({ typeName, priorState, proposedNewState, config, priorPrivate }) {
      const { resource, codec } = find(typeName);
      const prior = codec.decode(priorState);
      const written = codec.decode(proposedNewState) && codec.decode(config);
      const { memory, replaced } = openPrivate(priorPrivate);
      session()?.touch();
      if (!written) {
        const diagnostics = prior ? await review(resource, { action: "destroy", prior: codec.known(prior) }) : [];
        return { plannedState: codec.encode(null), plannedPrivate: sealPrivate({ memory }), diagnostics };
      }
      const diagnostics = codec.faults(written).filter(isError);
      const { planned, replace } = planChange(codec.attributes, prior, written);
      if (diagnostics.length === 0) {
        diagnostics.push(...(await review(resource, changeOf(codec, prior, planned, replace, replaced))));
      }
      return {
        plannedState: codec.encode(planned),
        requiresReplace: replace.map(protocolPath),
        plannedPrivate: sealPrivate({
          memory,
          successor: codec.known(planned),
          replaced: prior ? codec.known(prior) : undefined,
        }),
        diagnostics,
      };
    },

    async applyResourceChange({ typeName, priorState, plannedState, config, plannedPrivate }) {
      const { resource, codec } = find(typeName);
      const prior = codec.decode(priorState);
      const planned = codec.decode(plannedState);
      const { memory, successor } = openPrivate(plannedPrivate);
      const diagnostics = codec.faults(codec.decode(config)).filter(isError);
      const answer = (newState: Value) => ({
        newState: codec.encode(newState),
        private: sealPrivate({ memory }),
        diagnostics: [...diagnostics, ...remarks()],
      });
      if (diagnostics.length > 0) return answer(prior);
      session()?.begin();

      const around = context(diagnostics, memory);
      try {
        if (planned) {
          const wanted = codec.known(planned);
          const computed = prior
            ? await resource.update(wanted, codec.known(prior), around)
            : await resource.create(wanted, around);
          return answer(join(codec, planned, computed));
        }
        if (prior) await resource.delete(codec.known(prior), around, successor);
        return answer(null);
      } catch (error) {
        diagnostics.push(explain(error));
        if (!(error instanceof Incomplete)) return answer(prior);
        return answer(join(codec, planned ?? prior ?? {}, error.state));
      }
    },
  };

  async function review(resource: Resource<Client>, change: Change): Promise<Diagnostic[]> {
    const current = session();
    if (!current || !resource.review) return [];
    const diagnostics: Diagnostic[] = [];
    await resource.review(change, {
      session: current,
      log,
      report: (fault) => diagnostics.push(diagnosticOf({ path: [], ...fault })),
    });
    return diagnostics;
  }
}

function changeOf(
  codec: Codec,
  prior: ObjectValue | null,
  planned: ObjectValue,
  replace: readonly unknown[],
  replaced: Readonly<Record<string, unknown>> | undefined,
): Change {
  const wanted = toPlain(planned) as Record<string, unknown>;
  if (!prior) return { action: "create", planned: wanted, replaced };
  const action = replace.length > 0 ? "replace" : equal(prior, planned, codec.type) ? "keep" : "update";
  return { action, prior: codec.known(prior), planned: wanted };
}

/** What was planned, with what is now known besides; nothing stays unknown. */
export function join(codec: Codec, planned: ObjectValue, computed: { readonly [name: string]: unknown }): Value {
  const added = codec.fromPlain(computed) as ObjectValue;
  return Object.fromEntries(
    codec.attributes.map(({ name }) => {
      const known = planned[name] === unknown ? null : (planned[name] ?? null);
      return [name, name in computed ? (added[name] ?? null) : known];
    }),
  );
}
