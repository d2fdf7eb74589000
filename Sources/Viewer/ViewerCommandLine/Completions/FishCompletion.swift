import ViewerConsole

/// The completion script for fish.
enum FishCompletion {
  static var text: String {
    var lines = [beginning]
    for command in CommandTable.commands {
      lines.append(line("__trace_viewer_first", "-a \(command.name.rawValue)", command.summary))
    }
    for command in CommandTable.commands {
      let name = command.name.rawValue
      switch command.operands.kind {
      case .log: continue
      case .nothing:
        lines.append("complete -c \(ProgramInfo.name) -n '__trace_viewer_is \(name)' -f")
      case .process:
        lines.append(line("__trace_viewer_is \(name)", "-a '(__fish_complete_pids)'", "process"))
      case .rule:
        lines.append(line("__trace_viewer_is \(name)", "-a \(quote(CommandTable.rules))", "rule"))
      case .command:
        lines.append(
          line(
            "__trace_viewer_is \(name)", "-f -a \(quote(CompletionScript.commandNames))", "command")
        )
      case .program:
        lines.append(
          "complete -c \(ProgramInfo.name) -n '__trace_viewer_is \(name)' -f"
            + " -a '(__trace_viewer_program)'")
      }
    }
    lines += CommandTable.options.map(completion)
    return lines.joined(separator: "\n") + "\n"
  }

  private static let beginning = #"""
    # Completes the command line of trace-viewer in fish.

    # Prints the command on the line, report if a log is there instead, or nothing.
    function __trace_viewer_command
        set -l words (commandline -opc)
        set -l skip no
        for word in $words[2..-1]
            if test $skip = yes
                set skip no
                continue
            end
            switch $word
                case --
                    echo report
                    return
                case \#(CompletionScript.wordsBeforeValues.joined(separator: " "))
                    set skip yes
                case '-?*'
                case \#(CompletionScript.commandNames.joined(separator: " "))
                    echo $word
                    return
                case '*'
                    echo report
                    return
            end
        end
    end

    function __trace_viewer_first
        test -z (__trace_viewer_command)
    end

    # Succeeds if the command is one of the arguments. Without a command, it may become a report.
    function __trace_viewer_is
        set -l command (__trace_viewer_command)
        test -n "$command"; or set command report
        contains -- $command $argv
    end

    # Prints what completes the command after --, or -- itself.
    function __trace_viewer_program
        set -l words (commandline -opc)
        set -l dashes (contains -i -- -- $words)
        if test -z "$dashes"
            echo --
            return
        end
        set -e words[1..$dashes]
        set -l line (commandline -ct)
        if test (count $words) -gt 0
            set line (string escape -- $words) $line
        end
        complete -C "$line"
    end

    function __trace_viewer_formats_and_files
        set -l token (commandline -ct | string replace -r '^(--output=|-o)' '')
        if string match -q '*:*' -- $token
            set -l parts (string split -m 1 : -- $token)
            for file in $parts[2]*
                test -d $file; and set file $file/
                echo $parts[1]:$file
            end
        else
            printf '%s:\n' $argv
        end
    end

    """#

  private static func completion(_ option: OptionSpec) -> String {
    let names = (option.letter.map { ["-s \($0)"] } ?? []) + option.spellings.map { "-l \($0)" }
    let arguments: String
    switch option.value?.kind {
    case nil: arguments = ""
    case .oneOf(let choices): arguments = " -x -a \(quote(choices))"
    case .file: arguments = " -r -F"
    case .formatAndFile(let formats):
      arguments = " -x -a '(__trace_viewer_formats_and_files \(formats.joined(separator: " ")))'"
    case .ruleSetting:
      let settings = CommandTable.rules.flatMap { rule in
        CommandTable.ruleLevels.map { "\(rule)=\($0)" }
      }
      arguments = " -x -a \(quote(settings))"
    case .text, .count, .laneAndCount, .speed, .duration: arguments = " -x"
    }
    return line(condition(option), names.joined(separator: " ") + arguments, option.summary)
  }

  private static func condition(_ option: OptionSpec) -> String? {
    switch option.scope {
    case .everywhere: nil
    case .alone: "__trace_viewer_first"
    case .commands(let names):
      "__trace_viewer_is " + names.map(\.rawValue).joined(separator: " ")
    }
  }

  private static func line(_ condition: String?, _ what: String, _ summary: String) -> String {
    "complete -c \(ProgramInfo.name)"
      + (condition.map { " -n \(CompletionScript.quote($0))" } ?? "") + " " + what
      + " -d \(CompletionScript.quote(summary))"
  }

  private static func quote(_ words: [String]) -> String {
    CompletionScript.quote(words.joined(separator: " "))
  }
}
