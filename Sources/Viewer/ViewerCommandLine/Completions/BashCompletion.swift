import ViewerConsole

/// The completion script for bash, 3.2 or later.
enum BashCompletion {
  static var text: String {
    beginning + optionLists + values + operands + ending
  }

  /// The start of the script. Bash splits words at `=` and `:`. The script joins them again and
  /// removes the part that is already typed from the offered words.
  private static let beginning = #"""
    # Completes the command line of trace-viewer in bash.

    _trace_viewer_offer() {
      # LEAD SUFFIX WORD...: offers the words that begin with the typed text.
      local lead=$1 suffix=$2 word
      shift 2
      [ -z "$suffix" ] || compopt -o nospace 2>/dev/null
      for word in "$@"; do
        word=$lead$word$suffix
        [[ $word == "$current"* ]] && COMPREPLY+=("${word#"$typed"}")
      done
    }

    _trace_viewer_offer_files() {
      # LEAD: offers files after it.
      local lead=$1 file
      compopt -o filenames 2>/dev/null
      while IFS= read -r file; do
        file=$lead$file
        COMPREPLY+=("${file#"$typed"}")
      done < <(compgen -f -- "${current#"$lead"}")
    }

    _trace_viewer_offer_commands() {
      # Offers the commands of the system.
      local word
      while IFS= read -r word; do
        COMPREPLY+=("${word#"$typed"}")
      done < <(compgen -c -- "$current" | sort -u)
    }

    _trace_viewer() {
      local words=() count=0 typed='' glue='' token i
      for ((i = 0; i <= COMP_CWORD; i++)); do
        token=${COMP_WORDS[i]}
        if [[ $token =~ ^[=:]+$ && $count -gt 1 ]]; then
          words[count - 1]+=$token
          typed=${words[count - 1]}
          glue=yes
        elif [ -n "$glue" ]; then
          typed=${words[count - 1]}
          words[count - 1]+=$token
          glue=
        else
          words[count]=$token
          count=$((count + 1))
          typed=
        fi
      done
      local current=${words[count - 1]} command='' option='' rest='' inner='' word
      for ((i = 1; i < count - 1; i++)); do
        word=${words[i]}
        if [ -n "$option" ]; then
          option=
        elif [ -z "$rest" ] && [ "$word" = -- ]; then
          rest=yes
        elif [ -z "$rest" ] && [[ $word == -?* ]]; then
          case $word in
          \#(CompletionScript.wordsBeforeValues.joined(separator: " | "))) option=$word ;;
          esac
        elif [ -z "$command" ]; then
          command=$word
          [ -z "$rest" ] || command=report
        elif [ -n "$rest" ]; then
          inner=yes
        fi
      done
      COMPREPLY=()
      local first=
      if [ -z "$command" ]; then
        command=report
        first=yes
      fi
      case $command in
      \#(CompletionScript.commandNames.joined(separator: " | "))) ;;
      *) command=report ;;
      esac
      local lead=''
      if [ -z "$rest" ] && [ -z "$option" ] && [[ $current == --*=* ]]; then
        option=${current%%=*}
        lead=$option=
      fi

    """#

  private static var optionLists: String {
    var lines = [
      #"  if [ -z "$option" ] && [ -z "$rest" ] && [[ $current == -?* || $current == - ]]; then"#,
      #"    case $command in"#,
    ]
    for command in CommandTable.commands {
      let words = CompletionScript.options(of: command.name).flatMap(\.words)
      lines.append("    \(command.name.rawValue)) _trace_viewer_offer '' '' \(list(words)) ;;")
    }
    let alone = CommandTable.loneOptions.flatMap(\.words)
    lines += [
      "    esac",
      "    [ -z \"$first\" ] || _trace_viewer_offer '' '' \(list(alone))",
      "    return",
      "  fi",
      "",
    ]
    return lines.joined(separator: "\n")
  }

  private static var values: String {
    var lines = [#"  if [ -n "$option" ]; then"#, #"    case $command:$option in"#]
    for option in CommandTable.options {
      guard let action = action(option) else { continue }
      let owners = CommandTable.commands.map(\.name).filter { option.belongs(to: $0) }
      let commands = owners.isEmpty ? ["report"] : owners.map(\.rawValue)
      let patterns = commands.flatMap { command in option.words.map { "\(command):\($0)" } }
      lines += ["    " + patterns.joined(separator: " | ") + ")", action, "      ;;"]
    }
    return (lines + ["    esac", "    return", "  fi", ""]).joined(separator: "\n")
  }

  private static func action(_ option: OptionSpec) -> String? {
    switch option.value?.kind {
    case .oneOf(let choices):
      #"      _trace_viewer_offer "$lead" '' \#(list(choices))"#
    case .file:
      #"      _trace_viewer_offer_files "$lead""#
    case .formatAndFile(let formats):
      #"""
            word=${current#"$lead"}
            if [[ $word == *:* ]]; then
              _trace_viewer_offer_files "$lead${word%%:*}:"
            else
              _trace_viewer_offer "$lead" : \#(list(formats))
            fi
      """#
    case .ruleSetting:
      #"""
            word=${current#"$lead"}
            if [[ $word == *=* ]]; then
              _trace_viewer_offer "$lead${word%%=*}=" '' \#(list(CommandTable.ruleLevels))
            else
              _trace_viewer_offer "$lead" = \#(list(CommandTable.rules))
            fi
      """#
    case .text, .count, .laneAndCount, .speed, .duration, nil:
      nil
    }
  }

  private static var operands: String {
    var lines = [
      #"  if [ -n "$first" ]; then"#,
      #"    [ -n "$rest" ] || _trace_viewer_offer '' '' \#(list(CompletionScript.commandNames))"#,
      #"    _trace_viewer_offer_files ''"#,
      #"    return"#,
      #"  fi"#,
      #"  case $command in"#,
    ]
    for command in CommandTable.commands {
      let name = command.name.rawValue
      switch command.operands.kind {
      case .log: continue
      case .nothing: lines.append("  \(name)) ;;")
      case .process:
        lines.append(
          #"  \#(name)) mapfile -t COMPREPLY < <(compgen -f -W "$(ps -eo pid=)" -- "$word") ;;"#)
      case .rule:
        lines += [
          "  \(name))", "    _trace_viewer_offer '' '' \(list(CommandTable.rules))",
          "    _trace_viewer_offer_files ''", "    ;;",
        ]
      case .command:
        lines.append(
          "  \(name)) _trace_viewer_offer '' '' \(list(CompletionScript.commandNames)) ;;")
      case .program:
        lines += [
          "  \(name))",
          #"    [ -n "$rest" ] || _trace_viewer_offer '' '' --"#,
          #"    [ -z "$rest" ] || [ -n "$inner" ] || _trace_viewer_offer_commands"#,
          #"    [ -z "$rest" ] || _trace_viewer_offer_files ''"#,
          #"    ;;"#,
        ]
      }
    }
    return (lines + ["  *) _trace_viewer_offer_files '' ;;", "  esac", ""]).joined(separator: "\n")
  }

  private static let ending = """
    }

    complete -F _trace_viewer \(ProgramInfo.name)

    """

  /// Returns the words as a list. Words of the table need no quotes.
  private static func list(_ words: [String]) -> String {
    words.joined(separator: " ")
  }
}
