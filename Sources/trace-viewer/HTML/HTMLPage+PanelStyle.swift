extension HTMLPage {
  /// Findings, tables, details; phones and paper.
  static let panelStyle = #"""
    .cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(420px, 100%), 1fr)); gap: 10px; }
    #findings h2 { margin-bottom: 10px; }
    .card { background: var(--paper); border: 1px solid var(--edge); border-left: 4px solid var(--quiet);
      border-radius: 8px; padding: 10px 14px; min-width: 0; }
    .card.error { border-left-color: var(--failed); }
    .card.warning { border-left-color: var(--mark); }
    .card .rule { color: var(--quiet); font-weight: 600; }
    .card.error .rule { color: var(--failed); }
    .card.warning .rule { color: var(--mark); }
    .card ul { margin: 6px 0 0; padding: 0; list-style: none; }
    .scroll { overflow-x: auto; margin-top: 10px; background: var(--paper); border: 1px solid var(--edge);
      border-radius: 8px; overflow-wrap: normal; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    th, td { text-align: left; padding: 4px 12px; white-space: nowrap; }
    td .text, td .code { display: inline-block; max-width: 420px; overflow: hidden; text-overflow: ellipsis;
      vertical-align: bottom; }
    th { padding: 3px 2px; border-bottom: 1px solid var(--edge); font-weight: 600; }
    th button { width: 100%; text-align: inherit; border-color: transparent; background: none; padding: 2px 9px;
      min-height: 28px; font-weight: 600; color: var(--quiet); white-space: nowrap; }
    th[aria-sort] button { color: var(--ink); }
    th[aria-sort="ascending"] button::after { content: " ↑"; }
    th[aria-sort="descending"] button::after { content: " ↓"; }
    .figure { text-align: right; }
    tbody tr:nth-child(even) { background: color-mix(in srgb, var(--hover) 45%, transparent); }
    tbody tr:hover { background: var(--hover); }
    section > .more { margin-top: 8px; }

    #details { position: fixed; top: 0; right: 0; bottom: 0; width: 370px; overflow-y: auto; z-index: 5;
      background: var(--paper); border-left: 1px solid var(--edge); padding: 16px 20px 30px;
      box-shadow: -8px 0 24px rgb(0 0 0 / .1); }
    .details-head { display: flex; gap: 10px; align-items: flex-start; margin-bottom: 10px; }
    .details-head h2 { flex: 1; }
    .close { padding: 0 10px; font-size: 18px; line-height: 1; }
    .finding { border-left: 3px solid var(--quiet); padding: 2px 10px; margin: 8px 0; }
    .finding.error { border-color: var(--failed); }
    .finding.error strong { color: var(--failed); }
    .finding.warning { border-color: var(--mark); }
    .finding.warning strong { color: var(--mark); }
    dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 4px 14px; margin: 10px 0 0; }
    dt { color: var(--quiet); }
    dd { margin: 0; }
    #details h3 { margin: 18px 0 6px; }
    .chain, .story { margin: 0; padding: 0; list-style: none; }
    .chain li, .story li { padding: 5px 0; border-top: 1px solid var(--edge); }
    .chain li:first-child, .story li:first-child { border-top: 0; }
    .when { color: var(--quiet); font-variant-numeric: tabular-nums; }
    .event { font-weight: 600; }
    .event.completed { color: var(--completed); } .event.failed { color: var(--failed); }
    .event.disposed { color: var(--disposed); } .event.released { color: var(--released); }

    @media (min-width: 821px) {
      .has-details { padding-right: 394px; max-width: none; }
    }
    @media (max-width: 820px) {
      body { padding: 14px 12px 40px; }
      .has-details { padding-bottom: 60vh; }
      .search { order: 3; width: 100%; margin: 0; }
      .search input { flex: 1; width: auto; min-height: 40px; }
      .buttons { margin-left: auto; }
      .buttons button { min-width: 40px; min-height: 40px; }
      #axis-row, .lane { grid-template-columns: minmax(0, 1fr); }
      .corner { display: none; }
      .label { border-right: 0; padding-bottom: 0; }
      #details { top: auto; left: 0; width: auto; max-height: 55vh; border-left: 0; border-radius: 14px 14px 0 0;
        border-top: 1px solid var(--edge); box-shadow: 0 -8px 24px rgb(0 0 0 / .2); padding: 14px 16px 24px; }
      .details-head { position: sticky; top: -14px; margin: -14px -16px 8px; padding: 12px 16px 8px;
        background: var(--paper); }
    }
    @media print {
      :root { --ground: #fff; --paper: #fff; --ink: #000; --quiet: #444; --edge: #ccc; --accent: #000;
        --active: #2a66d9; --completed: #1d7d4c; --failed: #c22f3d; --disposed: #0b7285; --released: #8740b3;
        --suspect: #d1440c; --mark: #7a5200; }
      body { padding: 0; max-width: none; font-size: 11px; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      .has-details { padding: 0; }
      nav, .search, .buttons, .more, #hint, .close { display: none !important; }
      #axis-row { position: static; }
      #details { position: static; width: auto; box-shadow: none; border: 1px solid #ccc; margin-top: 16px; }
      .lane { content-visibility: visible; break-inside: avoid; }
      .card, tr { break-inside: avoid; }
      .scroll { overflow: visible; }
    }

    """#
}
