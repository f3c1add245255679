/** `npm run generate`: writes the bindings, the reference, and the requests in the schema of reviews, with `-- --protocol` also the protocol, which needs the network. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { format } from "oxfmt";
import { tenantProvider } from "../../provider/resources/provider";
import { version } from "../../version";
import { assumptionsPage } from "./assumptions";
import { changesPage } from "./changes";
import { levelsPage } from "./levels";
import { generateBindings } from "./bindings";
import { factsPage } from "./facts";
import { commandsPage } from "./commands";
import { constructsPage } from "./construct-page";
import { referencePages } from "./reference";
import { withFacts } from "./requests";

const sources = path.join(__dirname, "../..");
const project = path.join(sources, "..");

async function main(): Promise<void> {
  if (process.argv.includes("--protocol")) generateProtocol(path.join(sources, "provider/plugin/protocol"));
  const provider = tenantProvider(version, {});
  await generateBindings(provider, path.join(sources, "constructs/bindings"));
  await writeReference(provider);
  const review = path.join(sources, "review/review.schema.json");
  await writeFormatted(review, withFacts(readFileSync(review, "utf8")));
}

/** Fetched when they are needed, because they are large and the protocol changes about once a year. */
const packages = ["@bufbuild/buf@1.74.0", "ts-proto@2.18.0"];
const options = [
  "outputServices=generic-definitions",
  "outputJsonMethods=false",
  "outputPartialMethods=false",
  "useOptionals=all",
  "exportCommonSymbols=false",
  "unrecognizedEnum=false",
  "annotateFilesWithVersion=false",
];

/** Turns the definition of Terraform's protocol into static TypeScript: writes `tfplugin6.ts` beside `tfplugin6.proto`. */
function generateProtocol(folder: string): void {
  const template = { version: "v2", plugins: [{ local: "protoc-gen-ts_proto", out: folder, opt: options }] };
  const generation = ["buf", "generate", folder, "--template", JSON.stringify(template)];
  const fetched = packages.flatMap((name) => ["--package", name]);
  execFileSync("npx", ["--yes", ...fetched, "--", ...generation], { stdio: ["ignore", "inherit", "inherit"] });
}

async function writeReference(provider: Parameters<typeof referencePages>[0]): Promise<void> {
  const docs = path.join(project, "docs");
  const prose = path.join(__dirname, "pages");
  const pages = [
    ...(await referencePages(provider, { examples: path.join(project, "examples"), prose })),
    levelsPage(prose),
    changesPage(prose),
    assumptionsPage(path.join(sources, "emulator"), prose),
    commandsPage(prose),
    factsPage(path.join(sources, "review/report/json.ts"), docs),
    constructsPage(path.join(sources, "constructs/index.ts"), prose),
  ];
  for (const folder of ["resources", "data-sources"]) rmSync(path.join(docs, folder), { recursive: true, force: true });
  for (const { file, text } of pages) {
    mkdirSync(path.dirname(path.join(docs, file)), { recursive: true });
    await writeFormatted(path.join(docs, file), text);
  }
}

/** As the formatter of the repository leaves it. */
async function writeFormatted(file: string, text: string): Promise<void> {
  const { code, errors } = await format(file, text, { printWidth: 120 });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  writeFileSync(file, code);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
