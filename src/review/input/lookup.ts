/** Looks up where the configuration declares an object, by its address in a finding or effect. */
import type { Place } from "../../judge/impact/cause";
import type { Plan } from "./plan";
import { bare } from "./plan";

/** Name of the plan (undefined: the only plan) -> address without indexes -> place. */
export type Places = ReadonlyMap<string | undefined, ReadonlyMap<string, Place>>;

interface Located {
  readonly places: Places;
}

export function placesOf(plans: readonly Plan[]): Places {
  return new Map(plans.map(({ name, places = new Map<string, Place>() }) => [name, places]));
}

/** `plan`: the name of the plan, if there are several. undefined: the place is not known. */
export function placeOf({ places }: Located, address: string | undefined, plan?: string): Place | undefined {
  if (address === undefined) return undefined;
  const searched = plan === undefined ? [...places.values()] : [places.get(plan)];
  const found = searched.flatMap((one) => one?.get(bare(address)) ?? []);
  // Several plans may have the same address.
  return found.length === 1 ? found[0] : undefined;
}
