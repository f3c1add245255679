/** A CDK program as its author has it: an app in a folder of its own, synthesized to files that Terraform can read. */
import { App, TerraformStack } from "cdktf";
import { StackSynthesizer } from "cdktf/lib/synthesize/synthesizer";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { TenantProvider } from "../../../src/constructs";
import { run, type Ended } from "../../support/program";

export interface Project {
  readonly folder: string;
  readonly app: App;
  /** Has a provider of its own. */
  readonly stack: TerraformStack;
  /** Where Terraform runs for the stack. */
  readonly directory: string;
  /** What is wrong according to the whole tree, each after the path of its construct. */
  complaints(): string[];
  warnings(): string[];
  read(file: string): string;
  terraform(...args: string[]): Promise<Ended>;
  close(): void;
}

export function openProject({ hclOutput = false } = {}): Project {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "tenantform-test-")));
  const outdir = path.join(folder, "cdktf.out");
  const app = new App({ outdir, hclOutput, stackTraces: false });
  const stack = new TerraformStack(app, "stack");
  // What `cdktf synth --hcl` asks for through the environment.
  if (hclOutput) stack.synthesizer = new StackSynthesizer(stack, false, true);
  new TenantProvider(stack, "tenant");
  const directory = path.join(outdir, "stacks/stack");
  return {
    folder,
    app,
    stack,
    directory,
    complaints: () =>
      app.node.findAll().flatMap(({ node }) => node.validate().map((complaint) => `${node.path}: ${complaint}`)),
    warnings: () =>
      app.node
        .findAll()
        .flatMap(({ node }) =>
          node.metadata.filter(({ type }) => type.endsWith("warn")).map(({ data }) => `${node.path}: ${data}`),
        ),
    read: (file) => readFileSync(path.join(directory, file), "utf8"),
    terraform: (...args) => run("terraform", [...args, "-no-color"], { cwd: directory }),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
