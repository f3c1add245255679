/** Shows a request that a change affects. */
import { type FactName, factNames, type FactValues, signalsOf, type WholeRequest } from "../../access/access";
import { hidden } from "../../../formats/text/lists";

type Shown<Value> = Value extends readonly string[] ? Value : Value | (Value extends number ? string : never) | null;

/** Null: the request does not have the fact. */
export type Witness = { readonly path: string; readonly ip: string; readonly connecting_ip: string } & {
  readonly [N in Exclude<keyof FactValues, "ip" | "connecting_ip">]-?: Shown<NonNullable<FactValues[N]>>;
};

/** Hides each fact that a sensitive property of a rule matches, and both addresses if they are the same one. */
export function shownWitness(request: WholeRequest, secrets: ReadonlySet<string>): Witness {
  const areOne = request.ip === request.connecting_ip;
  const isMatched = (name: FactName) => signalsOf(name).some((signal) => secrets.has(signal));
  const shown = factNames.map((name) => {
    const isAddress = name === "ip" || name === "connecting_ip";
    const isSecret = isMatched(name) || (areOne && isAddress && (isMatched("ip") || isMatched("connecting_ip")));
    const value = request[name];
    if (name === "managed") return [name, (request.managed ?? []).map((list) => (isSecret ? hidden : list))];
    return [name, value === undefined ? null : isSecret ? hidden : value];
  });
  return Object.fromEntries(shown) as Witness;
}
