/** What each resource construct does beside its generated class. */
import type { TerraformResource } from "cdktf";
import { withUnknowns } from "../cty/template";
import { endsIn, endWords } from "../impact/expiry";
import type { Kind } from "../kinds/kind";
import { addCheck } from "./checks";
import { claimAtSynth, type Claim } from "./claim";
import { recordOrigin } from "./origin";
import { seenWritten, type Plain } from "./plain";
import { checkAtSynth, type Definition } from "./validation";
import { warn } from "./warn";

/** Records the line that creates the construct. Synth checks the construct, and that no other one claims its key or its id. */
export function checkResource(
  construct: TerraformResource,
  kind: Kind,
  definition: Definition,
  written: object,
  claim: Claim = {},
): void {
  recordOrigin(construct);
  warnOfPassedEnds(construct, kind);
  checkAtSynth(construct, definition, written);
  claimAtSynth(construct, kind, definition, claim);
}

/** Warns of an end that has passed. */
function warnOfPassedEnds(construct: TerraformResource, { type, expiry }: Kind): void {
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
