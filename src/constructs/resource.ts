/** What each resource construct does beside its generated class. */
import type { TerraformResource } from "cdktf";
import type { Kind } from "../kinds/kind";
import { claimAtSynth, type Claim } from "./claim";
import { recordOrigin } from "./origin";
import { checkAtSynth, type Definition } from "./validation";

/** Records the line that creates the construct. Synth checks the construct, and that no other one claims its key or its id. */
export function checkResource(
  construct: TerraformResource,
  kind: Kind,
  definition: Definition,
  written: object,
  claim: Claim = {},
): void {
  recordOrigin(construct);
  checkAtSynth(construct, definition, written);
  claimAtSynth(construct, kind, definition, claim);
}
