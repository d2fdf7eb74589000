#!/usr/bin/env bash
# Checks the files that Scripts/release makes, and the releases that it refuses, with a program that
# is already built.
#
#   release.sh VIEWER
set -euo pipefail
viewer=$(realpath "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() { printf 'FAILED: %s\n' "$*" >&2; exit 1; }
version=$("$viewer" --version)
version=${version#trace-viewer }

# The script works on its own checkout, which this test may change.
git clone --quiet --no-hardlinks "$root" "$scratch/clone"
cd "$scratch/clone"
git config user.name test
git config user.email test@example.org
page=https://example.org/project

# refused TEXT ARGUMENT...: fails unless the script exits with 1 and prints TEXT.
refused() {
  local text=$1 code=0
  shift
  timeout 300 Scripts/release --binary "$viewer" --output "$scratch/refused" "$@" \
    >/dev/null 2>"$scratch/errors" || code=$?
  [ "$code" = 1 ] || fail "'$*' exited with $code instead of 1: $(cat "$scratch/errors")"
  grep -qF -- "$text" "$scratch/errors" \
    || fail "'$*' does not say '$text', but: $(cat "$scratch/errors")"
  [ ! -e "$scratch/refused" ] || fail "'$*' has made files."
}

refused "The version is $version, not 9.9.9" 9.9.9 --repository "$page"
refused "isn't the address of a web page" "$version" --repository ftp://example.org
touch new-file
refused "has changes that are not committed" "$version" --repository "$page"
rm new-file
mkdir "$scratch/full"
touch "$scratch/full/file"
refused "has files. Name another folder" "$version" --repository "$page" --output "$scratch/full"

make_release() {
  timeout 300 Scripts/release "$version" --binary "$viewer" --repository "$page" --output "$1" \
    >/dev/null
}
make_release "$scratch/first"
make_release "$scratch/second"
diff -r "$scratch/first" "$scratch/second" || fail "Two runs make different files."

cd "$scratch/first"
sha256sum --check --quiet ./*.sha256
for file in ./*.tar.gz; do
  grep -q "$(cut -d ' ' -f 1 "$file.sha256")" trace-viewer.rb \
    || fail "The formula has no checksum of $file."
  tar xzf "$file"
done
[ "$(./trace-viewer-"$version"/bin/trace-viewer --version)" = "trace-viewer $version" ]
for file in man/man1/trace-viewer.1 bash-completion/completions/trace-viewer \
  zsh/site-functions/_trace-viewer \
  fish/vendor_completions.d/trace-viewer.fish doc/trace-viewer/LICENSE \
  doc/trace-viewer/log.schema.json; do
  [ -s "trace-viewer-$version/share/$file" ] || fail "The archive has no $file."
done
[ -s "reactivekit-trace-$version/Package.swift" ] || fail "The source has no Package.swift."
[ -s RELEASE-NOTES.md ]
python3 - "trace-viewer-$version"-*.spdx.json <<'CODE'
import json, sys

document = json.load(open(sys.argv[1]))
known = {package["SPDXID"] for package in document["packages"]} | {"SPDXRef-DOCUMENT"}
for relation in document["relationships"]:
    assert {relation["spdxElementId"], relation["relatedSpdxElement"]} <= known, relation
CODE
if command -v dpkg-deb >/dev/null; then
  dpkg-deb --extract trace-viewer_*.deb unpacked
  [ "$(unpacked/usr/bin/trace-viewer --version)" = "trace-viewer $version" ]
  dpkg-deb --control trace-viewer_*.deb control
  (cd unpacked && md5sum --check --quiet ../control/md5sums)
  [ "$(dpkg-deb --field trace-viewer_*.deb Version)" = "$version" ]
fi

# The files of other machines, as far as they matter here: their names, contents and checksums.
if [ "$(uname -sm)" = "Linux x86_64" ]; then
  for system in linux-aarch64 macos-arm64; do
    folder=$scratch/made-on-$system
    mkdir "$folder"
    cp "$scratch/second"/{RELEASE-NOTES.md,reactivekit-trace-"$version".tar.gz} "$folder"
    cp "$scratch/second/trace-viewer-$version-linux-x86_64.tar.gz" \
      "$folder/trace-viewer-$version-$system.tar.gz"
    printf '%s' "$system" >>"$folder/trace-viewer-$version-$system.tar.gz"
    (cd "$folder" && for file in *.tar.gz; do sha256sum "$file" >"$file.sha256"; done)
  done
  cd "$scratch/clone"
  join() {
    timeout 300 Scripts/release "$version" --repository "$page" --output "$1" \
      --join "$scratch"/{second,made-on-linux-aarch64,made-on-macos-arm64}
  }
  join "$scratch/joined" >/dev/null
  cd "$scratch/joined"
  sha256sum --check --quiet ./*.sha256
  [ -s "trace-viewer-$version-macos-arm64.tar.gz" ] \
    || fail "The joined release has no program for macOS."
  [ "$(grep -c '^ *url ' trace-viewer.rb)" = 3 ] \
    || fail "The formula does not have three addresses."
  for pair in intel:linux-x86_64 arm:linux-aarch64; do
    file=trace-viewer-$version-${pair#*:}.tar.gz
    grep -A 3 "on_${pair%:*} do" trace-viewer.rb | tr -d '\n' \
      | grep -q "/v$version/$file\".*$(cut -d ' ' -f 1 "$file.sha256")" \
      || fail "The formula has no ${pair#*:} for ${pair%:*}."
  done
  if command -v ruby >/dev/null; then ruby -c trace-viewer.rb >/dev/null; fi
  printf 'x' >>"$scratch/made-on-macos-arm64/trace-viewer-$version-macos-arm64.tar.gz"
  cd "$scratch/clone"
  ! join "$scratch/refused" >/dev/null 2>"$scratch/errors" || fail "A changed file is joined."
  grep -q "does not have the checksum" "$scratch/errors" \
    || fail "A changed file is not named: $(cat "$scratch/errors")"
  [ ! -e "$scratch/refused" ] || fail "A refused release has files."
fi

cd "$scratch/clone"
sed -i "s/^## $version - .*/## Something else/" CHANGELOG.md
git commit --quiet --all --message "Remove the section"
refused "has no section '## $version - YEAR-MONTH-DAY'" "$version" --repository "$page"
git remote remove origin
git revert --no-edit HEAD >/dev/null
refused "no remote named origin" "$version"
