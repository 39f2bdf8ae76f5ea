// What the page gains where scripts run; without them it is complete and static. Bundled by crates/report/build.rs.
import { drawCharts } from "./charts";
import { connectContents } from "./contents";
import { writeTexts } from "./data";
import { offerPictures } from "./png";
import { prepareForPrint } from "./print";
import { openReadings } from "./readings";
import { makeSortable } from "./sort";
import { connectSwitches } from "./switches";

writeTexts();
const charts = drawCharts();
connectSwitches(charts.redraw);
connectContents();
openReadings(charts.draw);
prepareForPrint();
offerPictures();
document.querySelectorAll<HTMLTableElement>("table.sortable").forEach(makeSortable);
document.documentElement.dataset.live = "yes";
