/** The app of `npm start`: the stack of before.ts, or the edit that QUICKSTART names. */
import { App } from "cdktf";
import { Quickstart as After } from "./after";
import { Quickstart as Before } from "./before";
import { Quickstart as LockOut } from "./lock-out";
import { Quickstart as Removal } from "./removal";
import { Quickstart as Rename } from "./rename";

const variants = { before: Before, after: After, "lock-out": LockOut, removal: Removal, rename: Rename };
const Quickstart = variants[(process.env.QUICKSTART ?? "before") as keyof typeof variants];

const app = new App();
new Quickstart(app, "quickstart");
app.synth();
