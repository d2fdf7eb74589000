// The start of the script.
function start() {
  watchSearch();
  showIndex();
  watchCards();
  if (subs.length) {
    $('no-script').remove();
    for (const node of [$('legend'), $('overview'), $('plot'), document.querySelector('.buttons')]) node.hidden = false;
    showLegend();
    search.filters = [laneTable(), subscriptionTable()];
    placeLanes();
    show(whole.from, whole.to);
    watchSize();
    lay();
    watchPointer();
    watchKeys();
    watchOverview();
  }
  document.body.classList.add('scripted');
  addEventListener('hashchange', follow);
  if (location.hash) follow();
  // These attributes let other programs check that the page is complete.
  document.body.dataset.bars = subs.filter(sub => sub.row !== null).length;
  document.body.dataset.folded = lanes.reduce((sum, lane) => sum + lane.folded, 0);
  document.body.dataset.ready = subs.length;
}
start();
