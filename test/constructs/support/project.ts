/** A CDK program for tests: an app in a folder of its own, synthesized to files that Terraform can read. */
import { App, TerraformStack } from "cdktf";
import { StackSynthesizer } from "cdktf/lib/synthesize/synthesizer";
import { readFileSync } from "node:fs";
import path from "node:path";
import { TenantProvider } from "../../../src/constructs";
import { newFolder } from "../../support/folder";
import { run, type Ended } from "../../support/program";

export interface Project {
  readonly folder: string;
  readonly app: App;
  /** Contains a provider. */
  readonly stack: TerraformStack;
  /** The directory in which Terraform runs for the stack. */
  readonly directory: string;
  /** All errors of the tree, each after the path of its construct and without the line of the program. */
  complaints(): string[];
  warnings(): string[];
  read(file: string): string;
  terraform(...args: string[]): Promise<Ended>;
  /** With these variables of the environment. */
  terraformWith(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Ended>;
}

/** The lines of a test move with each edit. */
const withoutLines = (text: string) => text.replace(/\(test\/[\w./-]+:\d+\) | \(test\/[\w./-]+:\d+\)/g, "");

export function openProject({ hclOutput = false } = {}): Project {
  const folder = newFolder();
  const outdir = path.join(folder, "cdktf.out");
  const app = new App({ outdir, hclOutput, stackTraces: false });
  const stack = new TerraformStack(app, "stack");
  // `cdktf synth --hcl` sets this variable.
  if (hclOutput) stack.synthesizer = new StackSynthesizer(stack, false, true);
  new TenantProvider(stack, "tenant");
  const directory = path.join(outdir, "stacks/stack");
  return {
    folder,
    app,
    stack,
    directory,
    complaints: () =>
      app.node
        .findAll()
        .flatMap(({ node }) => node.validate().map((complaint) => `${node.path}: ${withoutLines(complaint)}`)),
    warnings: () =>
      app.node
        .findAll()
        .flatMap(({ node }) =>
          node.metadata
            .filter(({ type }) => type.endsWith("warn"))
            .map(({ data }) => `${node.path}: ${withoutLines(String(data))}`),
        ),
    read: (file) => readFileSync(path.join(directory, file), "utf8"),
    terraform: (...args) => run("terraform", [...args, "-no-color"], { cwd: directory }),
    terraformWith: (env, ...args) => run("terraform", [...args, "-no-color"], { cwd: directory, env }),
  };
}
