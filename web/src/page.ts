// What the page gains where scripts run; without them it is complete and static. Bundled by crates/report/build.rs.
import { drawSeries } from "./series";
import { makeSortable } from "./sort";
import { connectSwitches } from "./switches";

const redraw = drawSeries();
connectSwitches(redraw);
document.querySelectorAll<HTMLTableElement>("table.sortable").forEach(makeSortable);
document.documentElement.dataset.live = "yes";
