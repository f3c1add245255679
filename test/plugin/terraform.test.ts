import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run, type Ended } from "../support/program";
import { bundleFixture, temporaryFolder } from "./support/program";

const source = "registry.terraform.io/example/fixture";
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

interface Workspace {
  folder: string;
  /** The folder in which plugins put their sockets. */
  sockets: string;
  write(text: string): void;
  terraform(command: string, ...rest: string[]): Promise<Ended>;
  state(): { text: string; id: string }[];
}

function workspace(extra: Record<string, string> = {}): Workspace {
  const [folder, home, sockets] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  folders.push(folder, home, sockets);
  const env = { HOME: home, TMPDIR: sockets, ...extra };
  return {
    folder,
    sockets,
    write: (text) => writeFileSync(path.join(folder, "main.tf"), configuration(text)),
    terraform: (command, ...rest) => run("terraform", [command, "-no-color", ...rest], { cwd: folder, env }),
    state() {
      const { resources } = JSON.parse(readFileSync(path.join(folder, "terraform.tfstate"), "utf8"));
      return resources.map(({ instances }: { instances: { attributes: object }[] }) => instances[0]!.attributes);
    },
  };
}

const configuration = (text: string) => `
terraform {
  required_providers {
    fixture = { source = "example/fixture" }
  }
}

resource "fixture_note" "one" {
  text = "${text}"
}
`;

function installed(extra?: Record<string, string>): Workspace {
  const made = workspace(extra);
  const architecture = { x64: "amd64", arm64: "arm64" }[process.arch as "x64" | "arm64"];
  const plugins = path.join(made.folder, "terraform.d/plugins", source, "0.1.0", `${process.platform}_${architecture}`);
  mkdirSync(plugins, { recursive: true });
  bundleFixture(path.join(plugins, "terraform-provider-fixture_v0.1.0"));
  return made;
}

describe("Terraform starts an installed provider", () => {
  test("and shows its crash", async () => {
    const { write, terraform, sockets } = installed();
    write("panic");
    expect(await terraform("init")).toMatchObject({ code: 0 });
    const { code, stderr } = await terraform("apply", "-auto-approve");
    expect(code).toBe(1);
    expect(stderr).toContain("The terraform-provider-fixture_v0.1.0 plugin crashed!");
    expect(stderr).toContain("panic: Error: the fixture was told to");
    expect(readdirSync(sockets)).toEqual([]);
  });

  test("and passes on its log", async () => {
    const { write, terraform } = installed({ TF_LOG_PROVIDER: "ERROR" });
    write("throw");
    expect(await terraform("init")).toMatchObject({ code: 0 });
    const { stderr } = await terraform("apply", "-auto-approve");
    expect(stderr).toContain("[ERROR] provider.terraform-provider-fixture_v0.1.0: ApplyResourceChange failed:");
    expect(stderr).toContain("@module=provider.tenant");
  });
});
