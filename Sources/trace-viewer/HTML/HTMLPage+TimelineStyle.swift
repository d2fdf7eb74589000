extension HTMLPage {
  /// The timeline and its tools.
  static let timelineStyle = #"""
    .bar-of-tools { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; margin-bottom: 10px; }
    .search { margin-left: auto; display: flex; align-items: center; gap: 8px; color: var(--quiet); }
    .search output:empty { display: none; }
    input { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge);
      border-radius: 6px; padding: 4px 10px; min-height: 32px; width: 230px; max-width: 100%; }
    .buttons { display: flex; gap: 6px; }
    #plot { position: relative; --names: clamp(130px, 20%, 300px); background: var(--paper);
      border: 1px solid var(--edge); border-radius: 8px; }
    #axis-row, .lane { display: grid; grid-template-columns: var(--names) minmax(0, 1fr); }
    #axis-row { position: sticky; top: 0; z-index: 2; background: var(--paper);
      border-bottom: 1px solid var(--edge); border-radius: 8px 8px 0 0; }
    .corner, .label { border-right: 1px solid var(--edge); }
    .track { min-width: 0; cursor: grab; touch-action: pan-y; user-select: none; -webkit-user-select: none; }
    .moving .track { cursor: grabbing; }
    .track svg { display: block; width: 100%; height: auto; overflow: hidden; }
    #axis text { fill: var(--quiet); font: 11px var(--sans); font-variant-numeric: tabular-nums; }
    #axis .tick { stroke: var(--quiet); }
    #axis .mark { fill: var(--mark); stroke: var(--mark); }
    #axis .mark-name { fill: var(--mark); }
    #grid { position: absolute; top: 0; bottom: 0; left: var(--left, 0); width: calc(100% - var(--left, 0px));
      height: 100%; pointer-events: none; z-index: 0; }
    #grid line { stroke: var(--edge); vector-effect: non-scaling-stroke; }
    #grid line.mark { stroke: var(--mark); stroke-dasharray: 4 4; }
    #lanes { position: relative; z-index: 1; }
    .lane { content-visibility: auto; contain-intrinsic-size: auto 30px; border-bottom: 1px solid var(--edge); }
    .lane:last-child { border-bottom: 0; }
    .lane:hover { background: color-mix(in srgb, var(--hover) 55%, transparent); }
    .label { padding: 4px 10px 4px calc(12px + var(--depth, 0) * 14px); min-width: 0; }
    .label-line { display: flex; gap: 8px; align-items: baseline; }
    .lane-name { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-weight: 500; }
    .lane-count { margin-left: auto; color: var(--quiet); font-size: 12px; font-variant-numeric: tabular-nums; }
    .more { padding: 1px 8px; min-height: 24px; font-size: 12px; color: var(--quiet); margin-top: 3px; }
    .bar { color: var(--active); cursor: pointer; }
    .bar.completed { color: var(--completed); } .bar.failed { color: var(--failed); }
    .bar.disposed { color: var(--disposed); } .bar.released { color: var(--released); }
    .bar.suspect { color: var(--suspect); }
    .hit { fill: transparent; }
    .life { fill: currentColor; fill-opacity: .24; }
    .bar.suspect .life { stroke: currentColor; stroke-width: 1; stroke-dasharray: 3 2.5; }
    .bar.active .life { fill-opacity: .18; }
    .beats { stroke: currentColor; stroke-width: 1.6; fill: currentColor; fill-opacity: .75; stroke-opacity: .85; }
    .counted .beats { stroke: none; fill-opacity: .6; }
    .end { fill: none; stroke: currentColor; stroke-width: 2.2; stroke-linejoin: round; stroke-linecap: round; }
    .disposed .end, .active .end, .suspect .end { fill: currentColor; stroke-width: 1; }
    .suspect .end { fill-rule: evenodd; stroke-width: .4; }
    .released .end { fill: var(--paper); }
    .bar:hover .life { fill-opacity: .42; }
    .bar.kin .life { fill-opacity: .5; }
    .bar.selected .life { fill-opacity: .55; stroke: currentColor; stroke-width: 1.5; stroke-dasharray: none; }
    .bar.selected .hit { fill: currentColor; fill-opacity: .14; }
    .strip { fill: var(--quiet); fill-opacity: .35; }
    #legend { display: flex; flex-wrap: wrap; gap: 4px 18px; margin-top: 10px; }
    .entry { display: inline-flex; gap: 6px; align-items: center; }
    #hint { margin-top: 4px; font-size: 13px; }

    """#
}
