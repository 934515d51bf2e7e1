import { enableTable } from "./table.js";

enableTable("result", (text) => "Expected: " + text("wanted") + ". A chose " + text("before") + ", B " + text("after") + ".");
