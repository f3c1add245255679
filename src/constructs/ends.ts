/** Warns at synth of ends that have passed. */
import type { TerraformResource } from "cdktf";
import { withUnknowns } from "../cty/template";
import { endsIn, endWords } from "../impact/expiry";
import type { Kind } from "../kinds/kind";
import { addCheck } from "./checks";
import { seenWritten, type Plain } from "./plain";
import { warn } from "./warn";

export function warnOfPassedEnds(construct: TerraformResource, { type, expiry }: Kind): void {
  if (!expiry) return;
  addCheck(construct, () => {
    const written = seenWritten(construct);
    if (written?.[expiry.attribute] === undefined) return [];
    const object = { address: construct.node.path, type, actions: ["create"], after: withUnknowns(written) as Plain };
    const now = Date.now();
    for (const end of endsIn([object], now).filter(({ status }) => status === "still active")) {
      const consequence =
        end.member === undefined
          ? "switches it off. Delete it here too"
          : "removes the member. Delete the entry here too";
      warn(construct, `${endWords(end, now)}. The next plan ${consequence}, or give a later time. [TNF-STILL-ACTIVE]`);
    }
    return [];
  });
}
