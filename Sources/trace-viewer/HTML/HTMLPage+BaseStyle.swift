extension HTMLPage {
  /// Colours, text, and the head of the page.
  static let baseStyle = #"""

    :root {
      color-scheme: light dark;
      --ground: #f6f7f9; --paper: #fff; --ink: #1a1f26; --quiet: #5c6672; --edge: #dfe3e8;
      --hover: #eef1f5; --accent: #2258c4; --mark: #9a6700;
      --active: #2a66d9; --completed: #1d7d4c; --failed: #c22f3d; --disposed: #0b7285;
      --released: #8740b3; --suspect: #d1440c;
      --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
      --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", monospace;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #12151a; --paper: #1a1e25; --ink: #e5e9ef; --quiet: #9aa5b3; --edge: #2d343e;
        --hover: #242a33; --accent: #82aeff; --mark: #d9a53a;
        --active: #74a7ff; --completed: #52c78a; --failed: #ff7a85; --disposed: #4cc6d8;
        --released: #c697f2; --suspect: #ff8f4d;
      }
    }
    * { box-sizing: border-box; }
    html { scroll-padding-top: 60px; }
    body { margin: 0 auto; max-width: 1680px; padding: 20px 24px 60px; background: var(--ground);
      color: var(--ink); font: 14px/1.45 var(--sans); overflow-wrap: anywhere; }
    h1 { margin: 0; font-size: 22px; font-weight: 650; letter-spacing: -.01em; }
    h2 { margin: 0; font-size: 16px; font-weight: 650; }
    h2 .quiet { font-weight: 400; font-size: 14px; margin-left: 4px; }
    h3 { margin: 0; font-size: 14px; font-weight: 600; }
    p { margin: 0; }
    a { color: var(--accent); text-decoration: none; font-variant-numeric: tabular-nums; }
    a:hover { text-decoration: underline; }
    .quiet { color: var(--quiet); }
    .text, .code, .lane-name { unicode-bidi: isolate; }
    .code { font-family: var(--mono); font-size: 12px; }
    .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    [hidden] { display: none !important; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--edge);
      border-radius: 6px; padding: 4px 11px; min-height: 32px; cursor: pointer; }
    button:hover:enabled { background: var(--hover); }
    button:disabled { color: var(--quiet); opacity: .55; cursor: default; }
    section { margin-top: 22px; min-width: 0; }
    .title { display: flex; flex-wrap: wrap; gap: 6px 12px; align-items: center; }
    .outcome, .badge { display: inline-block; border-radius: 999px; padding: 1px 9px; font-size: 12px;
      font-weight: 600; border: 1px solid currentColor; white-space: nowrap; }
    .outcome.good { color: var(--completed); }
    .outcome.bad { color: var(--failed); }
    .outcome.doubtful { color: var(--mark); }
    .badge { padding: 0 7px; }
    .badge.active { color: var(--active); } .badge.completed { color: var(--completed); }
    .badge.failed { color: var(--failed); } .badge.disposed { color: var(--disposed); }
    .badge.released { color: var(--released); } .badge.suspect { color: var(--suspect); }
    .verdict { margin: 4px 0 8px; font-size: 15px; }
    .facts { display: flex; flex-wrap: wrap; margin: 0; padding: 0; list-style: none; color: var(--quiet); }
    .facts li:not(:last-child)::after { content: "·"; margin: 0 8px; }
    nav { display: flex; flex-wrap: wrap; gap: 4px 20px; margin-top: 10px; }
    .doubt { color: var(--failed); }
    .notice { margin-top: 10px; padding: 9px 13px; background: var(--paper); border: 1px solid var(--edge);
      border-left: 4px solid var(--mark); border-radius: 6px; }

    """#
}
