/** Turns the protocol's definitions into the static TypeScript beside them. */
import { execFileSync } from "node:child_process";
import path from "node:path";

const options = [
  "outputServices=generic-definitions",
  "outputJsonMethods=false",
  "outputPartialMethods=false",
  "useOptionals=all",
  "exportCommonSymbols=false",
  "unrecognizedEnum=false",
  "annotateFilesWithVersion=false",
];

/** Writes `<name>.ts` for every `<name>.proto` of this folder into `directory`. Needs no network. */
export function generateProtocol(directory: string): void {
  const typescript = [process.execPath, require.resolve("ts-proto/protoc-gen-ts_proto")];
  const template = { version: "v2", plugins: [{ local: typescript, out: directory, opt: options }] };
  const buf = path.join(path.dirname(require.resolve("@bufbuild/buf/package.json")), "bin", "buf");
  const generation = [buf, "generate", __dirname, "--template", JSON.stringify(template)];
  execFileSync(process.execPath, generation, { stdio: ["ignore", "inherit", "inherit"] });
}
