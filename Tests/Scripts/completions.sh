#!/usr/bin/env bash
# Tests the completion scripts of trace-viewer in bash, zsh and fish, and its manual page with
# mandoc. If zsh, fish or mandoc is not installed, the script skips it with a message.
#
#   Tests/Scripts/completions.sh TRACE_VIEWER
set -euo pipefail

viewer=$1
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for shell in bash zsh fish; do
  "$viewer" --generate-completion-script "$shell" >"$scratch/$shell" \
    || fail "trace-viewer prints no script for $shell."
done
"$viewer" --generate-manual >"$scratch/trace-viewer.1" || fail "trace-viewer prints no manual page."
mkdir "$scratch/logs"
: >"$scratch/logs/a b.jsonl"
: >"$scratch/logs/c.jsonl"

# expect SHELL LINE OFFERED WANTED...: fails unless every WANTED word is a line of OFFERED. For
# !WORD, fails if WORD is one.
expect() {
  local shell=$1 line=$2 offered=$3 wanted
  shift 3
  for wanted in "$@"; do
    if [ "${wanted#!}" != "$wanted" ]; then
      ! grep -qxF -e "${wanted#!}" <<<"$offered" || fail "$shell offers '${wanted#!}' for '$line'."
    else
      grep -qxF -e "$wanted" <<<"$offered" \
        || fail "$shell does not offer '$wanted' for '$line'. It offers: $offered"
    fi
  done
}

# in_bash LINE: prints the words that bash offers. It splits the line at spaces, = and :, as
# readline does.
in_bash() {
  bash --norc --noprofile -c '
    set -u
    source "$1"
    cd "$3"
    COMP_LINE=$2 COMP_POINT=${#2} COMP_WORDS=()
    words=${2//=/ = }
    words=${words//:/ : }
    read -ra COMP_WORDS <<<"$words"
    [[ $2 != *" " ]] || COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMPREPLY=()
    complete -p trace-viewer | grep -qF -e "-F _trace_viewer " || exit 1
    _trace_viewer
    [ "${#COMPREPLY[@]}" = 0 ] || printf "%s\n" "${COMPREPLY[@]}"
  ' bash "$scratch/bash" "$1" "$scratch/logs"
}

bash -n "$scratch/bash" || fail "bash cannot read its script."
head -n 1 "$scratch/bash" | grep -q '^#!' \
  && fail "The script for bash must have no #! line, because it is sourced."
check_bash() { expect bash "$1" "$(in_bash "$1")" "${@:2}"; }
check_bash 'trace-viewer ' report check explain 'a b.jsonl' c.jsonl '!--help'
check_bash 'trace-viewer ch' check '!report' '!c.jsonl'
check_bash 'trace-viewer check ' 'a b.jsonl' c.jsonl '!report'
check_bash 'trace-viewer --ascii check --b' --baseline '!--format'
check_bash 'trace-viewer check --' --baseline --help '!--sort' '!--generate-manual'
check_bash 'trace-viewer --gen' --generate-manual --generate-completion-script
check_bash 'trace-viewer c.jsonl --s' --sort --strict '!--baseline'
check_bash 'trace-viewer check --format ' junit '!html'
check_bash 'trace-viewer check -f j' json junit '!text'
check_bash 'trace-viewer --format=' html '!junit'
check_bash 'trace-viewer check --format=j' json junit '!text'
check_bash 'trace-viewer export --to=c' csv '!otlp'
check_bash 'trace-viewer marbles --lane check --' --limit '!--baseline'
check_bash 'trace-viewer check --output js' json:
check_bash 'trace-viewer check -o json:c' c.jsonl '!a b.jsonl'
check_bash 'trace-viewer check --output=json:' c.jsonl 'a b.jsonl'
check_bash 'trace-viewer check --rule gr' growth=
check_bash 'trace-viewer check --rule=growth=' error warning off
check_bash 'trace-viewer check --rule growth=o' off '!error'
check_bash 'trace-viewer explain ' undisposed stalled c.jsonl '!report'
check_bash 'trace-viewer help ma' marbles '!report'
check_bash 'trace-viewer check -- ' c.jsonl '!--help'
check_bash 'trace-viewer repair -o ' c.jsonl '!repair'
check_bash 'trace-viewer run ' -- '!c.jsonl' '!check'
check_bash 'trace-viewer run --' --keep --all --baseline '!--lane'
check_bash 'trace-viewer run --keep ' c.jsonl
check_bash 'trace-viewer run --all -- bas' bash '!--keep'
check_bash 'trace-viewer run -- ' c.jsonl ls '!--keep'
check_bash 'trace-viewer run -- ls ' c.jsonl '!ls'
check_bash 'trace-viewer run -- ls --' '!--keep'
printf 'bash    completes\n'

if command -v zsh >/dev/null; then
  zsh -n "$scratch/zsh" || fail "zsh cannot read its script."
  head -n 1 "$scratch/zsh" | grep -x '#compdef trace-viewer' >/dev/null \
    || fail "The script for zsh does not begin with #compdef."
  # in_zsh LINE: prints the words that zsh offers in a pseudo-terminal.
  in_zsh() {
    zsh -f -c '
      zmodload zsh/zpty
      zpty z zsh -f -i
      zpty -w z "PS1= PS2= PROMPT_EOL_MARK=; unsetopt zle_bracketed_paste 2>/dev/null; cd ${(q)3}"
      zpty -w z "autoload -Uz compinit && compinit -u -d ${(q)3}/../zcompdump && source ${(q)1}"
      zpty -w z "compadd () { if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then local -a hits; \
builtin compadd -A hits \"\$@\"; print -l -r -- \"OFFER:\"\${^hits}; fi; builtin compadd \"\$@\" }"
      zpty -w z "show () { _main_complete; print -r -- DONE:; exit }; \
zle -C show complete-word show; bindkey \"^X\" show; print READY:"
      zpty -r z text "*READY:*READY:*"
      zpty -w -n z "$2"$(printf "\030")
      zpty -r z text "*DONE:*"
      print -r -- "$text"
    ' zsh "$scratch/zsh" "$1" "$scratch/logs" | tr -d '\r' | sed -n 's/.*OFFER://p'
  }
  check_zsh() { expect zsh "$1" "$(in_zsh "$1")" "${@:2}"; }
  check_zsh 'trace-viewer ' report check 'a\ b.jsonl' c.jsonl
  check_zsh 'trace-viewer check ' c.jsonl '!report'
  check_zsh 'trace-viewer --ascii check --b' --baseline '!--format'
  check_zsh 'trace-viewer check -' --write-baseline -h '!--sort' '!--generate-manual'
  check_zsh 'trace-viewer --gen' --generate-manual
  check_zsh 'trace-viewer check --format ' junit '!html'
  check_zsh 'trace-viewer --format=' html '!junit'
  check_zsh 'trace-viewer marbles --lane check --l' --limit '!--baseline'
  check_zsh 'trace-viewer check -o j' json junit
  check_zsh 'trace-viewer check -o json:' c.jsonl
  check_zsh 'trace-viewer check --rule gr' growth
  check_zsh 'trace-viewer check --rule=growth=' off
  check_zsh 'trace-viewer explain ' undisposed stalled c.jsonl '!report'
  check_zsh 'trace-viewer help ma' marbles '!report'
  check_zsh 'trace-viewer run -' --keep --all '!--lane'
  check_zsh 'trace-viewer run --all -- bas' bash
  check_zsh 'trace-viewer run -- ls ' c.jsonl
  printf 'zsh     completes\n'
else
  printf 'zsh     skipped: it is not installed\n'
fi

if command -v fish >/dev/null; then
  fish --no-execute "$scratch/fish" || fail "fish cannot read its script."
  in_fish() {
    HOME=$scratch fish --no-config -c 'source $argv[1]; cd $argv[3]; complete -C $argv[2]' \
      "$scratch/fish" "$1" "$scratch/logs" | cut -f 1
  }
  check_fish() { expect fish "$1" "$(in_fish "$1")" "${@:2}"; }
  check_fish 'trace-viewer ' report check c.jsonl
  check_fish 'trace-viewer check ' c.jsonl '!report'
  check_fish 'trace-viewer --ascii check --b' --baseline '!--format'
  check_fish 'trace-viewer check --' --write-baseline --help '!--sort' '!--generate-manual'
  check_fish 'trace-viewer --gen' --generate-manual
  check_fish 'trace-viewer check --format ' junit '!html'
  check_fish 'trace-viewer --format=' --format=html '!--format=junit'
  check_fish 'trace-viewer marbles --lane check --' --limit '!--baseline'
  check_fish 'trace-viewer check -o js' json:
  check_fish 'trace-viewer check -o json:c' json:c.jsonl '!json:a b.jsonl'
  check_fish 'trace-viewer check --rule growth=' growth=off
  check_fish 'trace-viewer explain ' undisposed stalled c.jsonl '!report'
  check_fish 'trace-viewer help ma' marbles '!report'
  check_fish 'trace-viewer run --' --keep --all '!--lane'
  check_fish 'trace-viewer run --all -- bas' bash
  check_fish 'trace-viewer run -- ls ' c.jsonl
  printf 'fish    completes\n'
else
  printf 'fish    skipped: it is not installed\n'
fi

if command -v mandoc >/dev/null; then
  mandoc -Tlint -Wwarning "$scratch/trace-viewer.1" || fail "mandoc objects to the manual page."
  # A bold letter is the letter, a backspace, and the letter again.
  mandoc -Tascii "$scratch/trace-viewer.1" | sed $'s/.\b//g' \
    | grep -e '--baseline=FILE' >/dev/null || fail "The manual page lacks an option."
  printf 'mandoc  reads the manual page\n'
else
  printf 'mandoc  skipped: it is not installed\n'
fi
