/** The app that `npx cdktf deploy` runs here: the stack of before.ts or, with QUICKSTART=after, as edited in after.ts. */
import { App } from "cdktf";
import { Quickstart as After } from "./after";
import { Quickstart as Before } from "./before";

const Quickstart = process.env.QUICKSTART === "after" ? After : Before;

const app = new App();
new Quickstart(app, "quickstart");
app.synth();
