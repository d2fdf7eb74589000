import ViewerConsole

/// The completion script for zsh. It can be autoloaded from a folder of functions, or sourced.
enum ZshCompletion {
  static var text: String {
    var lines = [
      "#compdef \(ProgramInfo.name)",
      "# Completes the command line of \(ProgramInfo.name) in zsh.",
      "",
    ]
    lines += describing("commands", CommandTable.commands.map { ($0.name.rawValue, $0.summary) })
    lines += [helpers]
    lines += ["_\(ProgramInfo.name)() {", finding, "  case $command in"]
    for command in CommandTable.commands {
      lines += ["  \(command.name.rawValue))", "    options=("]
      lines += CompletionScript.options(of: command.name).map { "      " + spec($0) }
      lines += ["    )", "    operand=\(operand(command))", "    ;;"]
    }
    lines += ["  esac", "  if [[ -z $named ]]; then", "    options+=("]
    lines += CommandTable.loneOptions.map { "      " + spec($0) }
    lines += ["    )", "  fi", ending]
    return lines.joined(separator: "\n")
  }

  private static let helpers = #"""
    _trace_viewer_first() {
      _alternative 'commands:command:_trace_viewer_commands' 'logs:log:_files'
    }

    _trace_viewer_rules() {
      compadd -- \#(CommandTable.rules.joined(separator: " "))
    }

    _trace_viewer_rule_setting() {
      if compset -P '*='; then
        compadd -- \#(CommandTable.ruleLevels.joined(separator: " "))
      else
        compadd -q -S '=' -- \#(CommandTable.rules.joined(separator: " "))
      fi
    }

    _trace_viewer_explained() {
      _trace_viewer_rules
      _files
    }

    _trace_viewer_inspected() {
      _alternative 'processes:process:_pids' 'files:core file:_files'
    }

    _trace_viewer_program() {
      local dashes=${words[(ie)--]}
      if (( dashes >= CURRENT )); then
        compadd -- --
      else
        shift $dashes words
        (( CURRENT -= dashes ))
        _normal
      fi
    }

    _trace_viewer_format_and_file() {
      if compset -P '*:'; then
        _files
      else
        compadd -q -S ':' -- "$@"
      fi
    }

    """#

  private static let finding = #"""
      local curcontext=$curcontext command=report named= operand= word skip= i
      local -a options line
      local -A opt_args
      for ((i = 2; i < CURRENT; i++)); do
        word=$words[i]
        if [[ -n $skip ]]; then
          skip=
          continue
        fi
        case $word in
        --) named=yes; break ;;
        \#(CompletionScript.wordsBeforeValues.joined(separator: " | "))) skip=yes ;;
        -?*) ;;
        \#(CompletionScript.commandNames.joined(separator: " | ")))
          command=$word; named=yes; break ;;
        *) named=yes; break ;;
        esac
      done
    """#

  private static let ending = #"""
      _arguments -s -S $options '1:command or log:_trace_viewer_first' $operand
    }

    if [[ $funcstack[1] == _trace-viewer ]]; then
      _trace-viewer "$@"
    else
      compdef _trace-viewer trace-viewer
    fi

    """#

  private static func describing(_ what: String, _ rows: [(String, String)]) -> [String] {
    ["_trace_viewer_\(what)() {", "  local -a \(what)=("]
      + rows.map { "    " + CompletionScript.quote($0.0 + ":" + $0.1) }
      + ["  )", "  _describe \(what) \(what)", "}", ""]
  }

  private static func operand(_ command: CommandSpec) -> String {
    switch command.operands.kind {
    case .log: "'*:log:_files'"
    case .rule: "'*:rule or log:_trace_viewer_explained'"
    case .command: "'2:command:_trace_viewer_commands'"
    case .program: "'*:command:_trace_viewer_program'"
    case .process: "'*:process or core file:_trace_viewer_inspected'"
    case .nothing: "'*: :'"
    }
  }

  /// Returns the spec of an option, such as `'(-f --format)'{-f+,--format=}'[...]:FORMAT:(text
  /// json)'`.
  private static func spec(_ option: OptionSpec) -> String {
    let words = option.words
    let forms = words.map { word in
      option.value == nil ? word : word + (word.hasPrefix("--") ? "=" : "+")
    }
    let before =
      option.isRepeatable ? "*" : words.count > 1 ? "(\(words.joined(separator: " ")))" : ""
    let middle = forms.count > 1 ? "{\(forms.joined(separator: ","))}" : forms.joined()
    let explanation =
      "[" + option.summary.replacing("[", with: #"\["#).replacing("]", with: #"\]"#) + "]"
    let message = option.value.map { ":" + $0.word.replacing(":", with: #"\:"#) + ":" } ?? ""
    return (before.isEmpty ? "" : CompletionScript.quote(before)) + middle
      + CompletionScript.quote(explanation + message + action(option))
  }

  private static func action(_ option: OptionSpec) -> String {
    switch option.value?.kind {
    case .oneOf(let choices): "(\(choices.joined(separator: " ")))"
    case .file: "_files"
    case .formatAndFile(let formats):
      "_trace_viewer_format_and_file \(formats.joined(separator: " "))"
    case .ruleSetting: "_trace_viewer_rule_setting"
    case .text, .count, .laneAndCount, .speed, .duration: " "
    case nil: ""
    }
  }
}
