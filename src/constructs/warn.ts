/** Warnings at synth, also for programs that run without cdktf-cli. */
import { Annotations } from "cdktf";
import type { IConstruct } from "constructs";
import { print } from "../formats/text/printable";
import { isUnderTest } from "./checks";
import { originOf, sharedMap } from "./origin";

/** cdktf-cli sets this variable, and prints all annotations of the manifest. Nothing else prints them. */
const ofCli = "CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS";

const said = sharedMap<IConstruct, Set<string>>("said");

/** Each text once, because the stack and the app both run the validations. */
export function warn(construct: IConstruct, text: string): void {
  const texts = said.get(construct) ?? new Set();
  if (texts.has(text)) return;
  said.set(construct, texts.add(text));
  const at = originOf(construct).trimStart();
  Annotations.of(construct).addWarning(at === "" ? text : `${at} ${text}`);
  if (process.env[ofCli] !== undefined || isUnderTest(construct)) return;
  print(process.stderr, `Warning: [${construct.node.path}]${originOf(construct)} ${text}\n`);
}
